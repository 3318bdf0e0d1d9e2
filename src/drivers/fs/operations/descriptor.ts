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
import { whenFilesFree } from "../../../lib/open-files.js";

const openAtOnce = promisify(openWithCallback);
/** Waits a little when too many files are open. */
export const open: typeof openAtOnce = (...how: Parameters<typeof openAtOnce>) =>
  whenFilesFree(() => openAtOnce(...how));
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
