// Folders for what lives a moment only: nobody else can enter them, and what a killed process left is
// found by its pid in the name.

import { existsSync, mkdtempSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The path of a socket in it is short by law, the folder for temporary files need not be. */
const MAX_FOLDER_PATH_CHARS = 64;
const FOLDER_PREFIX = "clawtools-io-";
const LEFT_FOLDER = /^clawtools-io-(\d+)-\w{6}$/;

export function makePrivateFolder(): string {
  return mkdtempSync(join(placeForFolders(), `${FOLDER_PREFIX}${process.pid}-`));
}

/** A process that is killed at the wrong moment leaves a folder; the next one removes it. */
export async function removeLeftFolders(): Promise<void> {
  const place = placeForFolders();
  for (const name of await readdir(place)) {
    const [, pid] = LEFT_FOLDER.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`) || !existsSync("/proc/self")) continue;
    await rm(join(place, name), { recursive: true, force: true });
  }
}

function placeForFolders(): string {
  const preferred = tmpdir();
  return preferred.length <= MAX_FOLDER_PATH_CHARS ? preferred : "/tmp";
}
