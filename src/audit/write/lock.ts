// One writer at a time, of all processes on a state folder: a folder with one token in it, whose name
// says who has it. It changes hands by renaming the token, which succeeds for one of all that try, so
// that of a dead process is taken over without a moment in which two have it.

import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, type RandomSource, ToolError } from "../../core/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";

const FREE = "free";
const FOLDER_MODE = 0o700;
const NONCE_BYTES = 8;
const MAX_WAIT_MS = 5_000;
const MIN_PAUSE_MS = 1;
const MAX_PAUSE_MS = 20;

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

export interface Lock {
  /** Throws `unavailable` / `audit_busy` when others keep it for five seconds. */
  within<Value>(work: () => Promise<Value>): Promise<Value>;
}

export function createLock(folder: string, ports: LockPorts): Lock {
  const { clock, random, owners } = ports;
  const free = join(folder, FREE);
  const token = join(folder, `${owners.own}.${random.hex(NONCE_BYTES)}`);

  async function take(): Promise<void> {
    const beganMs = clock.now();
    for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      if (await tryRename(free, token)) return;
      const abandoned = await findAbandoned(folder, ports);
      if (abandoned !== undefined && (await tryRename(abandoned, token))) return;
      if (clock.now() - beganMs >= MAX_WAIT_MS) throw busy(folder);
      await new Promise<void>((done) => void clock.after(pauseMs, done));
    }
  }

  return {
    async within(work) {
      await take();
      try {
        return await work();
      } finally {
        await rename(token, free);
      }
    },
  };
}

/** The path of a token that may be taken; undefined while somebody has it. */
async function findAbandoned(folder: string, ports: LockPorts): Promise<string | undefined> {
  const names = await listTokens(folder);
  if (names.length === 0) {
    await makeFolder(folder, ports.random);
    return join(folder, FREE);
  }
  for (const name of names) {
    const path = join(folder, name);
    if (name === FREE || (await isAbandoned(path, { name, ports }))) return path;
  }
  return undefined;
}

async function isAbandoned(
  path: string,
  { name, ports }: { readonly name: string; readonly ports: LockPorts },
): Promise<boolean> {
  try {
    const { ctimeMs } = await stat(path);
    const mark = name.slice(0, name.lastIndexOf("."));
    return ports.owners.isDead(mark, ports.clock.now() - ctimeMs);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function listTokens(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Moved into its place as a whole: a folder with a token in it cannot be replaced by another. */
async function makeFolder(folder: string, random: RandomSource): Promise<void> {
  const draft = `${folder}.${random.hex(NONCE_BYTES)}`;
  await mkdir(draft, { recursive: true, mode: FOLDER_MODE });
  try {
    await writeFile(join(draft, FREE), "");
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!["ENOTEMPTY", "EEXIST"].includes(errnoOf(error))) throw error;
  }
}

async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function busy(folder: string): ToolError {
  return new ToolError(
    "unavailable",
    `The audit is being written by others since ${MAX_WAIT_MS / 1_000} seconds; remove "${folder}" when there are none.`,
    { reason: "audit_busy" },
  );
}
