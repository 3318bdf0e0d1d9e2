// Makes the names in a folder outlast a power cut, where the system can do that.

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { errnoOf } from "./errors.js";
import type { Pin } from "./pin.js";

/** How systems and file systems say that a folder cannot be synced. */
const UNSUPPORTED = ["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EBADF"];

export async function syncFolder(folder: Pin): Promise<void> {
  try {
    const handle = await open(`${folder.door}/.`, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!UNSUPPORTED.includes(errnoOf(error))) throw error;
  }
}
