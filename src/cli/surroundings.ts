// The process as values: its streams, folders and end. The only part of the commands that touches it.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { ConfigPlace } from "../config/index.js";
import type { CommandCall, Output, Terminal } from "./command-call.js";
import { UsageError } from "./failure.js";
import { readOwnCommand } from "./own-command/own-command.js";
import type { GivenFlags } from "./parse-command.js";
import { wrapText } from "./wrap-text.js";

const MAX_COLUMNS = 80;
const MIN_COLUMNS = 40;
const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

export function terminalWidth(): number {
  const columns = process.stdout.columns ?? MAX_COLUMNS;
  return Math.max(MIN_COLUMNS, Math.min(columns, MAX_COLUMNS));
}

/** The package file lies two folders above this one, in the sources and in the build alike. */
export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const manifest: { readonly version: string } = JSON.parse(text);
  return manifest.version;
}

export function createOutput(): Output {
  return {
    isTerminal: process.stdout.isTTY === true,
    print: (line) => void process.stdout.write(`${line}\n`),
    warn: writeError,
    progress(line) {
      // Back to the first column; what is left of a longer line is wiped.
      if (process.stderr.isTTY) process.stderr.write(`\r${line}\u001b[K`);
    },
  };
}

/** Wrapped at the width of the terminal, with the command on a line of its own; else one line. */
export function writeError(line: string, command?: string): void {
  const { isTTY, columns = MAX_COLUMNS } = process.stderr;
  const lines = isTTY
    ? wrapText(line, Math.max(MIN_COLUMNS, Math.min(columns, MAX_COLUMNS)))
    : [line];
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
    // Thrown for one reason only: the folder was removed.
    throw new UsageError("The working folder is not there any more; change to another one.");
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
    input: process.stdin,
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    openTerminal,
    untilStopped,
  };
}

export function ownCommand(): string {
  return readOwnCommand(process.argv[1] ?? "", process.env);
}

/** undefined for a user without one. */
function readHomeDir(): string | undefined {
  try {
    return homedir();
  } catch {
    // Thrown for one reason only: neither HOME nor the user database names a folder.
    return undefined;
  }
}

/** On stderr, so that stdout has nothing but the result. */
async function openTerminal(): Promise<Terminal> {
  const { createLineReader } = await import("./approvals/line-reader.js");
  const isTerminal = process.stdin.isTTY === true;
  const reader = createLineReader({ input: process.stdin, isTerminal });
  const { columns = MAX_COLUMNS } = process.stderr;
  return {
    width: Math.max(MIN_COLUMNS, Math.min(columns, MAX_COLUMNS)),
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
