// The note next to a profile's data while its browser runs: which process it is, by which socket other
// processes of ours join it, and who started it.

import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RandomSource } from "../../../core/index.js";
import { readField, readNumber, readText } from "../../../lib/read-field.js";
import type { MarkedProcess } from "./process-world.js";

const FILE_NAME = "running.json";
const FILE_MODE = 0o600;
const NONCE_BYTES = 6;
export const SANDBOX_ON = "on";

export interface RunningNote {
  readonly browser: MarkedProcess;
  /** The process that started it. */
  readonly owner: MarkedProcess;
  readonly port?: number | undefined;
  readonly socketPath?: string | undefined;
  readonly policyKey: string;
  readonly headless: boolean;
  /** Of Chromium itself: `on`, else why it is off. Unknown in a note of an older version. */
  readonly sandbox?: string | undefined;
}

/** The folder is there. */
export async function writeNote(
  folder: string,
  { note, random }: { readonly note: RunningNote; readonly random: RandomSource },
): Promise<void> {
  await replaceFile(join(folder, FILE_NAME), { text: JSON.stringify(note), random });
}

/** As a whole, for this user alone; the folder exists. */
export async function replaceFile(
  path: string,
  { text, random }: { readonly text: string; readonly random: RandomSource },
): Promise<void> {
  const draft = `${path}.${random.hex(NONCE_BYTES)}`;
  try {
    await writeFile(draft, text, { mode: FILE_MODE, flag: "wx" });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** undefined when there is none, or what is there is none. */
export async function readNote(folder: string): Promise<RunningNote | undefined> {
  try {
    return parseNote(JSON.parse(await readFile(join(folder, FILE_NAME), "utf8")));
  } catch {
    // Not there, or half of it: then no one says that it runs, and starting finds out.
    return undefined;
  }
}

/** Only the note of this very browser: another may have been started meanwhile. */
export async function removeNote(folder: string, browser: MarkedProcess): Promise<void> {
  const found = await readNote(folder);
  if (found === undefined || found.browser.pid !== browser.pid) return;
  await rm(join(folder, FILE_NAME), { force: true });
}

function parseNote(value: unknown): RunningNote | undefined {
  const browser = parseMark(readField(value, "browser"));
  const owner = parseMark(readField(value, "owner"));
  const policyKey = readText(value, "policyKey");
  if (!browser || !owner || policyKey === undefined) return undefined;
  return {
    ...{ browser, owner, policyKey },
    headless: readField(value, "headless") === true,
    socketPath: readText(value, "socketPath"),
    port: readNumber(value, "port"),
    sandbox: readText(value, "sandbox"),
  };
}

function parseMark(value: unknown): MarkedProcess | undefined {
  const pid = readNumber(value, "pid");
  if (!Number.isSafeInteger(pid) || pid === undefined || pid <= 1) return undefined;
  return { pid, start: readText(value, "start") };
}
