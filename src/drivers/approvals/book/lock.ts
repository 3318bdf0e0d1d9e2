// A lock between processes made of names alone: a folder with one token in it, whose name says who
// has it. It changes hands only by renaming that token, which succeeds for one of all that try, so
// the token of a dead process is taken over without a moment in which two have it.

import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, type RandomSource, ToolError } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";

const FREE = "free";
const FOLDER_MODE = 0o700;
const NONCE_BYTES = 8;
const MAX_WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 40;
const BYTE_VALUES = 256;

/** Which process this is, and whether another one still lives. */
export interface ProcessOwners {
  readonly own: string;
  isDead(mark: string, ageMs: number): boolean;
}

export interface LockPorts {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly owners: ProcessOwners;
}

/** Throws `unavailable` / `approvals_busy` when another process keeps it for ten seconds. */
export async function withLock<Value>(
  folder: string,
  { ports, work }: { readonly ports: LockPorts; readonly work: () => Promise<Value> },
): Promise<Value> {
  const token = join(folder, `${ports.owners.own}.${ports.random.hex(NONCE_BYTES)}`);
  await takeToken(folder, { token, ports });
  try {
    return await work();
  } finally {
    await rename(token, join(folder, FREE));
  }
}

async function takeToken(
  folder: string,
  { token, ports }: { readonly token: string; readonly ports: LockPorts },
): Promise<void> {
  const beganMs = ports.clock.now();
  for (let tries = 0; ; tries++) {
    const found = await findTakeable(folder, ports);
    if (found !== undefined && (await tryRename(join(folder, found), token))) return;
    if (ports.clock.now() - beganMs >= MAX_WAIT_MS) throw busy(folder);
    await pause(tries, ports);
  }
}

/** The name of a token that may be taken now; undefined while somebody has it. */
async function findTakeable(folder: string, ports: LockPorts): Promise<string | undefined> {
  const names = await listTokens(folder);
  if (names.length === 0) {
    await makeFolder(folder, ports.random);
    return FREE;
  }
  if (names.includes(FREE)) return FREE;
  for (const name of names) if (await isAbandoned(join(folder, name), { name, ports })) return name;
  return undefined;
}

async function isAbandoned(
  path: string,
  { name, ports }: { readonly name: string; readonly ports: LockPorts },
): Promise<boolean> {
  const mark = name.slice(0, name.lastIndexOf("."));
  try {
    const { ctimeMs } = await stat(path);
    return ports.owners.isDead(mark, ports.clock.now() - ctimeMs);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

async function listTokens(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Moved into its place as a whole: a folder with a token in it cannot be replaced by another. */
async function makeFolder(folder: string, random: RandomSource): Promise<void> {
  const draft = `${folder}.${random.hex(NONCE_BYTES)}`;
  await mkdir(draft, { mode: FOLDER_MODE });
  await writeFile(join(draft, FREE), "");
  try {
    await rename(draft, folder);
  } catch (error) {
    await rm(join(draft, FREE), { force: true });
    await rmdir(draft);
    if (!["ENOTEMPTY", "EEXIST"].includes(errnoOf(error))) throw error;
  }
}

async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

function pause(tries: number, { clock, random }: LockPorts): Promise<void> {
  const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 10), MAX_PAUSE_MS);
  // Two that wait must not wake together for ever.
  const share = (Number.parseInt(random.hex(1), 16) + 1) / BYTE_VALUES;
  return new Promise((resolve) => {
    clock.after(Math.ceil(longestMs * share), resolve);
  });
}

function busy(folder: string): ToolError {
  return new ToolError(
    "unavailable",
    `The approvals are being changed by another process since ${MAX_WAIT_MS / 1_000} seconds; end it, or remove "${folder}" when there is none.`,
    { reason: "approvals_busy" },
  );
}
