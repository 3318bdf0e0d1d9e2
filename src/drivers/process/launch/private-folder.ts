// Folders for what lives a moment only: no one else can enter them, and what a killed process left is
// found by its pid in the name. They never lie in a workspace, whose commands are this user too.

import { existsSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { errnoOf } from "../../../lib/errno.js";

/** In memory: on a disk a folder can take longer than all else that a start does. */
const LINUX_MEMORY = "/dev/shm";
/** No sandbox shows it, nor the memory: it has its own. What TMPDIR names may be in a workspace. */
const LINUX_PLACE = "/tmp";
const FOLDER_PREFIX = "clawtools-io-";
const LEFT_FOLDER = /^clawtools-io-(\d+)-\w{6}$/;
const PERMISSIONS = 0o777;
const FOLDER_MODE = 0o700;
/** Longer than any is needed: who made one may have a pid that cannot be seen from here. */
const MIN_LEFT_MS = 60_000;
/** All that is ever in one: pipes, bytes for the inside, or the socket of its proxy. */
export const PIPE_NAMES = Array.from({ length: 128 }, (_, index) => `pipe-${index}`);
export const PASSED_FD_NAME = "given";
export const SOCKET_NAME = "net";
const KNOWN_NAMES = new Set([PASSED_FD_NAME, SOCKET_NAME, ...PIPE_NAMES]);

export function makePrivateFolder(): string {
  if (process.platform !== "linux") return makeFurtherFolder();
  try {
    return makeIn(LINUX_MEMORY);
  } catch (error) {
    // Not there, not for us, or full.
    if (errnoOf(error) === "") throw error;
    return makeFurtherFolder();
  }
}

/** For what did not fit into the one in memory. */
export function makeFurtherFolder(): string {
  return makeIn(process.platform === "linux" ? LINUX_PLACE : tmpdir());
}

function makeIn(place: string): string {
  return mkdtempSync(join(place, `${FOLDER_PREFIX}${process.pid}-`));
}

/** Takes the known names and the empty folder, and follows nothing. Never throws. */
export function removePrivateFolder(folder: string): void {
  passOver(() => {
    for (const name of readdirSync(folder)) {
      if (KNOWN_NAMES.has(name)) passOver(() => unlinkSync(join(folder, name)));
    }
    rmdirSync(folder);
  });
}

/** A process that is killed at the wrong moment leaves a folder; one that comes later removes it. */
export async function removeLeftFolders(): Promise<void> {
  if (!existsSync("/proc/self")) return;
  for (const place of [LINUX_MEMORY, LINUX_PLACE]) {
    // In one that cannot be read nothing was left.
    const names = await readdir(place).catch(() => []);
    for (const name of names) removeLeft(join(place, name));
  }
}

function removeLeft(folder: string): void {
  const [, pid] = LEFT_FOLDER.exec(basename(folder)) ?? [];
  if (pid === undefined || existsSync(`/proc/${pid}`)) return;
  if (isOldAndOwn(folder)) removePrivateFolder(folder);
}

/** Others may make folders of that name, with links in them. */
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
    // Gone already, or not as it was left: then it stays for someone to look at.
    if (errnoOf(error) === "") throw error;
  }
}
