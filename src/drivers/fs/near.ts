// File systems that answer at once. A step that takes a few microseconds there is made in this thread:
// handing it to another one and waiting costs many times as much. All others may take long, or hang, and
// are asked from other threads only.

import { statfs } from "node:fs/promises";
import type { Pin } from "./pin.js";

/** As `statfs` of Linux tells them: ext, XFS, Btrfs, F2FS, bcachefs, ZFS, overlays, memory. */
const NEAR_TYPES: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0xca451a4e, 0x2fc12fc1],
  ...[0x794c7630, 0x01021994, 0x858458f6],
]);

/** The device that a pinned folder lies on, when its file system is a near one. */
export async function findNearDevice({ door, stats }: Pin): Promise<bigint | undefined> {
  try {
    return NEAR_TYPES.has((await statfs(door)).type) ? stats.dev : undefined;
  } catch {
    // What cannot be told is not near.
    return undefined;
  }
}
