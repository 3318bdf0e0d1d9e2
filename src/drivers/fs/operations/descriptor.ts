// Node's file functions by descriptor, as promises. A handle would take a further step to close, and
// costs more to make than these to call.

import nodeFs, {
  fchmod,
  fchown,
  open as openWithCallback,
  read as readWithCallback,
  write as writeWithCallback,
} from "node:fs";
import { promisify } from "node:util";

export const open = promisify(openWithCallback);
export const read = promisify(readWithCallback);
export const write = promisify(writeWithCallback);
export const changeMode = promisify(fchmod);
export const changeOwner = promisify(fchown);

/** Fulfilled when what was written is on the disk. */
export function sync(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    nodeFs.fsync(descriptor, (error) => (error ? reject(error) : resolve()));
  });
}
