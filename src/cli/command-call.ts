// What a command is given: its words and flags, and the surroundings of the process as values.

import type { Readable } from "node:stream";
import type { ConfigPlace } from "../config/index.js";

export interface Output {
  /** A person reads stdout on a terminal, where control characters would act. */
  readonly isTerminal: boolean;
  /** To stdout, with a line end. */
  print(line: string): void;
  /** To stderr, with a line end. */
  /** `command` follows the line and is never wrapped. */
  warn(line: string, command?: string): void;
  /** A line on stderr that the next one takes the place of; only where a person sees it. */
  progress(line: string): void;
}

/** A person who can be asked. What is written is seen at once, beside what the command prints. */
export interface Terminal {
  /** Columns. */
  readonly width: number;
  write(line: string): void;
  /** undefined when the input has ended. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
  /** Lets go of the input. */
  close(): void;
}

/** Stands for a secret in printed values. */
export const HIDDEN = "(hidden; --reveal shows it)";

export interface CommandCall {
  /** What stands after the words of the command. */
  readonly words: readonly string[];
  /** Flags with a value. */
  readonly texts: Readonly<Record<string, string | undefined>>;
  /** Flags without one that were given. */
  readonly switches: ReadonlySet<string>;
  readonly output: Output;
  /** Where config and state lie. */
  readonly place: ConfigPlace;
  /** Absolute. */
  readonly root: string;
  /** Columns for people; no table is wider. */
  readonly width: number;
  /** What a person types for this program. */
  readonly ownCommand: string;
  readonly input: Readable;
  /** A person sits at stdin and stderr. */
  readonly isInteractive: boolean;
  /** Opened by whoever asks, and closed by them. */
  openTerminal(): Promise<Terminal>;
  /** The signal fires when the process is asked to end; asked again, it ends at once. */
  untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export function printJson(output: Output, value: unknown): void {
  output.print(JSON.stringify(value, null, 2));
}

export function printLines(output: Output, lines: readonly string[]): void {
  for (const line of lines) output.print(line);
}
