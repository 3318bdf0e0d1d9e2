// Makes the names in folders outlast a power cut, where the system can do that. What it takes is
// opened before the change, so that a change that was made is not reported as a failure for want of it.

import { closeSync, constants } from "node:fs";
import { errnoOf } from "../../lib/errno.js";
import { sync } from "./operations/descriptor.js";
import type { Pin } from "./pin.js";

/** How systems and file systems say that a folder cannot be synced. */
const UNSUPPORTED = ["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EBADF"];

export interface FolderChange<T> {
  /** What may go on while the folders are opened. */
  prepare?(): Promise<void>;
  change(): Promise<T>;
  /** What may go on while they are synced. */
  meanwhile?: (() => void) | undefined;
}

/** Makes the change, then syncs the folders in their order. */
export async function changeAndSync<T>(folders: readonly Pin[], work: FolderChange<T>): Promise<T> {
  const outcomes = await Promise.allSettled([work.prepare?.(), ...folders.map(openFolder)]);
  const opened = outcomes.flatMap((outcome) =>
    outcome.status === "fulfilled" && outcome.value !== undefined ? [outcome.value] : [],
  );
  try {
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    const result = await work.change();
    const synced = syncAll(opened);
    try {
      work.meanwhile?.();
    } finally {
      await synced;
    }
    return result;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

async function syncAll(opened: readonly number[]): Promise<void> {
  for (const descriptor of opened) await sync(descriptor).catch(passUnsupported);
}

async function openFolder(folder: Pin): Promise<number | undefined> {
  try {
    return await folder.open(constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  } catch (error) {
    // A process may be allowed to write here, but not to list what is here.
    if (errnoOf(error) !== "EACCES") passUnsupported(error);
    return undefined;
  }
}

function passUnsupported(error: unknown): void {
  if (!UNSUPPORTED.includes(errnoOf(error))) throw error;
}
