// A write that somebody watches: asked before it begins, and shown what it replaces while the new
// content goes to the disk. It is no part of the port: a bridge of ours offers it here, to other parts
// of ours.

import type { FsBridge, FsPath } from "../ports/fs-bridge.js";
import type { FileAccess } from "./file-access.js";

/** The file that is about to be replaced; good until the look is over. */
export interface OldFile extends Required<FileAccess> {
  /** Bytes. */
  readonly size: number;
  /** Once, however many ask. */
  read(): Promise<Buffer>;
  /**
   * Gives the file a second name at an absolute path, so that its bytes outlast the write without a
   * copy. `refused`: nothing was made, and only a copy is safe. `taken`: the name is in use. Rejects
   * with the system's error when there is no such folder.
   */
  linkTo(path: string): Promise<"linked" | "taken" | "refused">;
}

export interface WriteWatch {
  /** In the turn of the file, before anything is made; when it says no, nothing is. */
  judge?(old: OldFile | undefined): Promise<boolean>;
  /**
   * While the new content goes to the disk. undefined when nothing is there yet. The write fails when
   * this does, and nothing is changed. `realPath` is where it goes to, all links followed.
   */
  look(old: OldFile | undefined, realPath: string): Promise<void>;
  /** While the change, which is made by now, goes to the disk. */
  meanwhile?(): void;
  /** When nothing is there: done instead of the write. */
  missing?(bridge: FsBridge): Promise<void>;
  /** When the write has failed, before anybody else has a turn. Never throws. */
  failed?(bridge: FsBridge): Promise<void>;
}

export type WatchedRequest = FsPath & { data: string | Buffer };

/**
 * Whether it was written. Takes its place in the turns at the file at once, and all that watches it
 * runs in that turn: the bridges it is given wait for nobody.
 */
export type WatchedWrite = (request: WatchedRequest, watch: WriteWatch) => Promise<boolean>;

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
