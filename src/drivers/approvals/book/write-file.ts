// Replaces the file of approvals as a whole: a new file beside it, for this user alone, synced, then
// renamed over it, and the name synced too. Whoever calls it holds the lock.

import { constants } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "../../../lib/errno.js";

const FILE_MODE = 0o600;
const MAKE_NEW =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** How systems and file systems say that a folder cannot be synced. */
const UNSUPPORTED = ["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EBADF"];

/** `isCurrent` is asked at the last moment; false: nothing was written. */
export async function replaceApprovalsFile(
  path: string,
  { text, isCurrent }: { readonly text: string; readonly isCurrent: () => Promise<boolean> },
): Promise<boolean> {
  const draft = `${path}.new`;
  // What a killed process left; nobody else writes under the lock.
  await rm(draft, { force: true });
  try {
    await writeDraft(draft, text);
    if (!(await isCurrent())) return false;
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
  return true;
}

async function writeDraft(draft: string, text: string): Promise<void> {
  const handle = await open(draft, MAKE_NEW, FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!UNSUPPORTED.includes(errnoOf(error))) throw error;
  }
}
