// What a containment reads from a descriptor when it starts, in a file without a name: a socket for the
// same costs as much as a good part of the start.

import { closeSync, constants, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { errnoOf } from "../../../lib/errno.js";

/** Linux; Node does not export it. */
const O_TMPFILE = 0o20_000_000 | constants.O_DIRECTORY;
const FILE_MODE = 0o600;
/** In memory first. */
const FOLDERS = ["/dev/shm", tmpdir()];

/** To be closed by the caller. undefined where there are no such files. */
export function openGiven(bytes: Uint8Array): number | undefined {
  for (const folder of FOLDERS) {
    const descriptor = tryOpen(folder);
    if (descriptor === undefined) continue;
    if (isWritten(descriptor, bytes)) return descriptor;
    closeSync(descriptor);
  }
  return undefined;
}

function tryOpen(folder: string): number | undefined {
  try {
    return openSync(folder, O_TMPFILE | constants.O_RDWR, FILE_MODE);
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return undefined;
  }
}

/** At a place of its own, so that whoever reads begins at the beginning. */
function isWritten(descriptor: number, bytes: Uint8Array): boolean {
  try {
    return writeSync(descriptor, bytes, 0, bytes.byteLength, 0) === bytes.byteLength;
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return false;
  }
}
