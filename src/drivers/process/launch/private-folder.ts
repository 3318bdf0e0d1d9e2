// Folders for what lives a moment only: nobody else can enter them, and what a killed process left is
// found by its pid in the name. They never lie in a workspace, whose commands are this user too.

import { existsSync, lstatSync, mkdtempSync, rmdirSync, unlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../../../lib/errno.js";

/** No sandbox shows it, which has one of its own; what TMPDIR names may be in a workspace. */
const LINUX_PLACE = "/tmp";
const FOLDER_PREFIX = "clawtools-io-";
const LEFT_FOLDER = /^clawtools-io-(\d+)-\w{6}$/;
const PERMISSIONS = 0o777;
const FOLDER_MODE = 0o700;

/** All that is ever in one: pipes, or bytes for the inside. */
export const PIPE_NAMES = Array.from({ length: 64 }, (_, index) => `pipe-${index}`);
export const GIVEN_NAME = "given";

export function makePrivateFolder(): string {
  return mkdtempSync(join(placeForFolders(), `${FOLDER_PREFIX}${process.pid}-`));
}

/** Takes the known names and the empty folder, and follows nothing. Never throws. */
export function removePrivateFolder(folder: string): void {
  for (const name of [GIVEN_NAME, ...PIPE_NAMES]) passOver(() => unlinkSync(join(folder, name)));
  passOver(() => rmdirSync(folder));
}

/** A process that is killed at the wrong moment leaves a folder; the next one removes it. */
export async function removeLeftFolders(): Promise<void> {
  const place = placeForFolders();
  if (!existsSync("/proc/self")) return;
  for (const name of await readdir(place)) {
    const [, pid] = LEFT_FOLDER.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    if (isOwn(join(place, name))) removePrivateFolder(join(place, name));
  }
}

/** Others may make folders of that name, with links in them. */
function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory() || found.uid !== process.geteuid?.()) return false;
  return (found.mode & PERMISSIONS) === FOLDER_MODE;
}

function placeForFolders(): string {
  return process.platform === "linux" ? LINUX_PLACE : tmpdir();
}

function passOver(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    // Gone already, or not as it was left: then it stays for somebody to look at.
    if (errnoOf(error) === "") throw error;
  }
}
