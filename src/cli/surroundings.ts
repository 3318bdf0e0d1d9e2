// The process as values: its streams, folders and end. The only part of the commands that touches it.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { ConfigPlace } from "../config/index.js";
import type { CommandCall, Output } from "./command-call.js";
import type { GivenFlags } from "./parse-command.js";

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
    print: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`${line}\n`),
  };
}

function readPlace({ texts }: GivenFlags): ConfigPlace {
  const { config, "state-dir": stateFolder } = texts;
  const given = stateFolder === undefined ? {} : { CLAWTOOLS_STATE_DIR: stateFolder };
  return {
    path: config,
    env: { ...process.env, ...given },
    homeDir: readHomeDir(),
    cwd: process.cwd(),
  };
}

export function toCall(words: readonly string[], flags: GivenFlags): CommandCall {
  return {
    words,
    ...flags,
    output: createOutput(),
    place: readPlace(flags),
    root: resolve(flags.texts.root ?? "."),
    width: terminalWidth(),
    input: process.stdin,
    untilStopped,
  };
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
