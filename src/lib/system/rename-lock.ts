// A lock between processes made of names alone: a folder with one token in it, whose name says who
// has it. It changes hands only by renaming that token, which succeeds for one of all that try, so
// the token of a dead process is taken over without a moment in which two have it.

import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf, isMissing } from "../errno.js";
import { makeFolder } from "../make-folder.js";

const FREE = "free";
const FOLDER_MODE = 0o700;
const NONCE_BYTES = 8;
const MAX_PAUSE_MS = 40;

/** Which process this is, and whether another one still lives. */
export interface ProcessOwners {
  readonly own: string;
  isDead(mark: string, ageMs: number): boolean;
}

export interface LockPorts {
  readonly clock: { now(): number; after(delayMs: number, work: () => void): unknown };
  readonly random: { hex(bytes: number): string };
  readonly owners: ProcessOwners;
}

export interface LockOptions extends LockPorts {
  readonly folder: string;
  readonly maxWaitMs: number;
  readonly busy: () => Error;
}

export async function withLock<Value>(options: LockOptions, work: () => Promise<Value>) {
  const { folder, owners, random } = options;
  const token = join(folder, `${owners.own}.${random.hex(NONCE_BYTES)}`);
  await takeToken(token, options);
  try {
    return await work();
  } finally {
    await rename(token, join(folder, FREE));
  }
}

async function takeToken(token: string, options: LockOptions): Promise<void> {
  const { folder, clock, maxWaitMs, busy } = options;
  const beganMs = clock.now();
  for (let tries = 0; ; tries++) {
    if (await tryRename(join(folder, FREE), token)) return;
    const found = await findTakeable(options);
    if (found !== undefined && (await tryRename(join(folder, found), token))) return;
    if (clock.now() - beganMs >= maxWaitMs) throw busy();
    await pause(tries, options);
  }
}

async function findTakeable(options: LockOptions): Promise<string | undefined> {
  const { folder, clock, owners } = options;
  const names = (await unlessMissing(readdir(folder))) ?? [];
  if (names.length === 0) await makeLock(options);
  if (names.length === 0 || names.includes(FREE)) return FREE;
  for (const name of names) {
    const found = await unlessMissing(stat(join(folder, name)));
    const mark = name.slice(0, name.lastIndexOf("."));
    if (found && owners.isDead(mark, clock.now() - found.ctimeMs)) return name;
  }
  return undefined;
}

/** Moved into its place as a whole: a folder with a token in it cannot be replaced by another. */
async function makeLock({ folder, random }: LockOptions): Promise<void> {
  const draft = `${folder}.${random.hex(NONCE_BYTES)}`;
  await makeFolder(draft, FOLDER_MODE);
  try {
    await writeFile(join(draft, FREE), "");
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!["ENOTEMPTY", "EEXIST"].includes(errnoOf(error))) throw error;
  }
}

function pause(tries: number, { clock, random }: LockOptions): Promise<void> {
  const longestMs = Math.min(2 ** tries, MAX_PAUSE_MS);
  // Two that wait must not wake together for ever.
  const share = Number.parseInt(random.hex(1), 16) / 0xff;
  return new Promise((resolve) => void clock.after(Math.ceil(longestMs * share), resolve));
}

async function tryRename(from: string, to: string): Promise<boolean> {
  return (await unlessMissing(rename(from, to).then(() => true))) === true;
}

function unlessMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return work.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}
