// Private folders for a moment, never in a workspace. What a killed process left is found by its pid.

import { existsSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { errnoOf } from "../../../lib/errno.js";

/** In memory, because making a folder on disk can be slow. */
const LINUX_MEMORY = "/dev/shm";
/** Not visible in a sandbox; TMPDIR may be in a workspace. */
const LINUX_PLACE = "/tmp";
const FOLDER_PREFIX = "clawtools-io-";
const LEFT_FOLDER = /^clawtools-io-(\d+)-\w{6}$/;
const PERMISSIONS = 0o777;
const FOLDER_MODE = 0o700;
/** The maker may live in another pid namespace. */
const MIN_LEFT_MS = 60_000;
export const PIPE_NAMES = Array.from({ length: 128 }, (_, index) => `pipe-${index}`);
export const PASSED_FD_NAME = "given";
export const SOCKET_NAME = "net";
const KNOWN_NAMES = new Set([PASSED_FD_NAME, SOCKET_NAME, ...PIPE_NAMES]);

export function makePrivateFolder(): string {
  if (process.platform !== "linux") return makeFurtherFolder();
  try {
    return makeIn(LINUX_MEMORY);
  } catch (error) {
    // Missing, not writable, or full.
    if (errnoOf(error) === "") throw error;
    return makeFurtherFolder();
  }
}

export function makeFurtherFolder(): string {
  return makeIn(process.platform === "linux" ? LINUX_PLACE : tmpdir());
}

function makeIn(place: string): string {
  return mkdtempSync(join(place, `${FOLDER_PREFIX}${process.pid}-`));
}

/** Removes known names only and follows no link. Never throws. */
export function removePrivateFolder(folder: string): void {
  passOver(() => {
    for (const name of readdirSync(folder)) {
      if (KNOWN_NAMES.has(name)) passOver(() => unlinkSync(join(folder, name)));
    }
    rmdirSync(folder);
  });
}

export async function removeLeftFolders(): Promise<void> {
  if (!existsSync("/proc/self")) return;
  for (const place of [LINUX_MEMORY, LINUX_PLACE]) {
    // An unreadable folder holds nothing of ours.
    const names = await readdir(place).catch(() => []);
    for (const name of names) removeLeft(join(place, name));
  }
}

function removeLeft(folder: string): void {
  const [, pid] = LEFT_FOLDER.exec(basename(folder)) ?? [];
  if (pid === undefined || existsSync(`/proc/${pid}`)) return;
  if (isOldAndOwn(folder)) removePrivateFolder(folder);
}

/** Other users may make folders of that name. */
function isOldAndOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory() || found.uid !== process.geteuid?.()) return false;
  if (Date.now() - found.mtimeMs < MIN_LEFT_MS) return false;
  return (found.mode & PERMISSIONS) === FOLDER_MODE;
}

function passOver(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    // Already gone, or changed by someone.
    if (errnoOf(error) === "") throw error;
  }
}
