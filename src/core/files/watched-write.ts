// A write during which somebody looks at what it replaces, while the new content goes to the disk.
// It is no part of the port: a bridge of ours offers it here, and tools never ask.

import type { FsBridge, FsPath } from "../ports/fs-bridge.js";

/** The file that is about to be replaced; good until the look is over. */
export interface OldFile {
  /** Bytes. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  read(): Promise<Buffer>;
  /**
   * Gives the file a second name at an absolute path, so that its bytes outlast the write without a
   * copy. `refused`: nothing was made, and only a copy is safe. `taken`: the name is in use. Rejects
   * with the system's error when there is no such folder.
   */
  linkTo(path: string): Promise<"linked" | "taken" | "refused">;
}

/** undefined when nothing is there yet. The write fails when this does, and nothing is changed. */
export type LookAtOld = (old: OldFile | undefined) => Promise<void>;

export type WatchedWrite = (
  request: FsPath & { data: string | Buffer },
  look: LookAtOld,
) => Promise<void>;

/**
 * A memo by identity: a bridge that is made of another one's methods, some of them replaced, must
 * not be passed by.
 */
const WATCHED_WRITES = new WeakMap<object, WatchedWrite>();

/** Gives the bridge back. */
export function offerWatchedWrite<Bridge extends FsBridge>(
  bridge: Bridge,
  write: WatchedWrite,
): Bridge {
  WATCHED_WRITES.set(bridge, write);
  return bridge;
}

/** undefined for a bridge that cannot. */
export function watchedWriteOf(bridge: FsBridge): WatchedWrite | undefined {
  return WATCHED_WRITES.get(bridge);
}
