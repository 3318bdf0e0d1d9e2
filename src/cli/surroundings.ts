// The process as values: streams, folders and end.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { ConfigPlace } from "../config/index.js";
import type { CommandCall, Output, Terminal } from "./command.js";
import { GROUPS } from "./command-list.js";
import { UsageError } from "./failure.js";
import { readOwnCommand } from "./own-command.js";
import type { GivenFlags } from "./parse-command.js";
import { createStyle, type Mark, type Style, showMark } from "./terminal/style.js";
import { wrapText } from "./terminal/wrap-text.js";

const DEFAULT_COLUMNS = 80;
const MIN_COLUMNS = 40;
const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

export function terminalWidth(): number {
  return Math.max(MIN_COLUMNS, process.stdout.columns ?? DEFAULT_COLUMNS);
}

function errorWidth(): number {
  return Math.max(MIN_COLUMNS, process.stderr.columns ?? DEFAULT_COLUMNS);
}

function styleOf({ isTTY }: NodeJS.WriteStream): Style {
  return createStyle({ isTerminal: isTTY === true, env: process.env, args: process.argv });
}

/** package.json is two folders up, in the sources and in the build. */
export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const manifest: { readonly version: string } = JSON.parse(text);
  return manifest.version;
}

export function createOutput(): Output {
  return {
    isTerminal: process.stdout.isTTY === true,
    style: styleOf(process.stdout),
    print: (line) => void process.stdout.write(`${line}\n`),
    write: (text) => void process.stdout.write(text),
    warn: (line, command) => writeError(line, { command }),
    progress(line) {
      // Erases the rest of a longer line.
      if (process.stderr.isTTY) process.stderr.write(`\r${line}\u001b[K`);
    },
  };
}

const SEVERITY = /^(error|warning|note):? /;

/** On a terminal: wrapped, with a mark, and the command on its own line. */
export function writeError(
  line: string,
  { command, mark }: { readonly command?: string | undefined; readonly mark?: Mark } = {},
): void {
  const { isTTY } = process.stderr;
  const style = styleOf(process.stderr);
  const [start = "", word] = SEVERITY.exec(line) ?? [];
  const kind =
    mark ?? (word === "error" || word === "warning" || word === "note" ? word : undefined);
  const shown =
    isTTY && kind !== undefined ? `${showMark(kind, style)} ${line.slice(start.length)}` : line;
  const lines = isTTY ? wrapText(shown, errorWidth()) : [line];
  const more = command === undefined ? "" : `${isTTY ? "\n  " : " "}${command}`;
  process.stderr.write(`${lines.join("\n")}${more}\n`);
}

function readPlace({ texts }: GivenFlags): ConfigPlace {
  const { config, "state-dir": stateFolder } = texts;
  const given = stateFolder === undefined ? {} : { CLAWTOOLS_STATE_DIR: stateFolder };
  return {
    path: config,
    env: { ...process.env, ...given },
    homeDir: readHomeDir(),
    cwd: readWorkingFolder(),
  };
}

function readWorkingFolder(): string {
  try {
    return process.cwd();
  } catch {
    // Thrown only when the folder was removed.
    throw new UsageError("The working folder does not exist any more. Change to another one.");
  }
}

export function toCall(words: readonly string[], flags: GivenFlags): CommandCall {
  const place = readPlace(flags);
  return {
    words,
    ...flags,
    output: createOutput(),
    place,
    root: resolve(place.cwd, flags.texts.root ?? "."),
    width: terminalWidth(),
    ownCommand: ownCommand(),
    groups: GROUPS,
    input: process.stdin,
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    openTerminal,
    untilStopped,
  };
}

export function ownCommand(): string {
  return readOwnCommand(process.argv[1] ?? "", process.env);
}

function readHomeDir(): string | undefined {
  try {
    return homedir();
  } catch {
    // Thrown only when neither HOME nor the user database names a folder.
    return undefined;
  }
}

/** On stderr; stdout has only the result. */
async function openTerminal(): Promise<Terminal> {
  const { createLineReader } = await import("./commands/approvals/line-reader.js");
  const isTerminal = process.stdin.isTTY === true;
  const reader = createLineReader(process.stdin, { isTerminal });
  return {
    width: errorWidth(),
    style: styleOf(process.stderr),
    write: (line) => void process.stderr.write(`${line}\n`),
    readLine: reader.next,
    close: reader.close,
  };
}

async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const end = new AbortController();
  const stop = () => end.abort();
  for (const name of STOP_SIGNALS) process.once(name, stop);
  try {
    return await work(end.signal);
  } finally {
    for (const name of STOP_SIGNALS) process.off(name, stop);
  }
}
