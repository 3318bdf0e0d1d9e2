// What a command is, and what it is given: its words and flags, and the process as values.

import type { Readable } from "node:stream";
import type { ConfigPlace } from "../config/index.js";
import type { Style } from "./terminal/style.js";

/**
 * Flags as help shows them: `"--limit COUNT": "Number of rows."`. The value also says what is completed:
 * FILE, DIR, TOOL, KEY, or the words themselves: `on|off`. Such words are checked before `run`.
 */
export type FlagTable = Readonly<Record<string, string>>;

export interface HelpTable {
  readonly title: string;
  readonly rows: readonly (readonly [left: string, right: string])[];
}

export interface Command {
  /** Operands as help shows them: `NAME`, `[CALL]`, `FILE...`, `accept|dismiss [TEXT]`. */
  readonly usage?: string;
  readonly notes?: readonly string[];
  readonly flags?: FlagTable;
  /** A table of its help, read only for it. */
  readonly helpTable?: () => Promise<HelpTable>;
  readonly required?: readonly string[];
  /** A correct call, shown after a wrong one. */
  readonly sample?: string;
  run(call: CommandCall): Promise<number>;
}

export const SECTIONS = ["Tools", "Server", "Safety", "Setup"] as const;

export interface CommandRow {
  /** "" for the command that is only the name of its group. */
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export interface Group {
  readonly section: (typeof SECTIONS)[number];
  readonly summary: string;
  readonly commands: readonly CommandRow[];
}

export type Groups = Readonly<Record<string, Group>>;

export interface Output {
  /** A person reads stdout on a terminal, where control characters have an effect. */
  readonly isTerminal: boolean;
  readonly style: Style;
  print(line: string): void;
  /** To stdout, without a line end. */
  write(text: string): void;
  /** To stderr, with a line end. `command` follows the line and is never wrapped. */
  warn(line: string, command?: string): void;
  /** A line on stderr that the next one replaces; only on a terminal. */
  progress(line: string): void;
}

export interface Terminal {
  readonly width: number;
  readonly style: Style;
  write(line: string): void;
  /** undefined at the end of the input. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

export interface CommandCall {
  readonly words: readonly string[];
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly switches: ReadonlySet<string>;
  readonly output: Output;
  readonly place: ConfigPlace;
  readonly root: string;
  readonly width: number;
  readonly ownCommand: string;
  readonly groups: Groups;
  readonly input: Readable;
  /** A person is at stdin and stderr. */
  readonly isInteractive: boolean;
  /** The caller closes it. */
  openTerminal(): Promise<Terminal>;
  /** The signal fires at the first SIGINT or SIGTERM; the second one ends the process. */
  untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export const HIDDEN = "(hidden; --reveal shows it)";

/** With --json the document, else the lines. Returns the exit code 0. */
export function show(
  { output, switches }: Pick<CommandCall, "output" | "switches">,
  document: unknown,
  lines: () => readonly string[],
): number {
  if (switches.has("json")) output.print(JSON.stringify(document, null, 2));
  else for (const line of lines()) output.print(line);
  return 0;
}
