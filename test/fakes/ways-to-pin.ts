// The ways in which a bridge can pin files, as far as this system has them.

import { type PinPath, pinByDescriptor, pinByName } from "../../src/drivers/fs/pin.js";

export interface WayToPin {
  readonly way: string;
  readonly pinPath: PinPath;
}

/** Any function but the one itself is asked from another thread, as a file system that is far. */
const FAR: PinPath = (path) => pinByDescriptor(path);

const BY_DESCRIPTOR: readonly WayToPin[] = [
  { way: "by descriptor, at once", pinPath: pinByDescriptor },
  { way: "by descriptor, from other threads", pinPath: FAR },
];

export const WAYS_TO_PIN: readonly WayToPin[] = [
  ...(process.platform === "linux" ? BY_DESCRIPTOR : []),
  { way: "by name", pinPath: pinByName },
];
