// Where a path really leads, all links followed. It is no part of the port: a bridge over a disk tells
// it here, to other parts of ours, so that undo knows a file again whose path has come to mean another.

import type { FsBridge, FsPath } from "../ports/fs-bridge.js";

/** Absolute paths; both are the same where the last name is no link. */
export interface RealPlace {
  /** Of the name itself, which `remove` and `rename` take away: a link there is not followed. */
  readonly entry: string;
  /** Of what is read and written. */
  readonly file: string;
}

/** Of what is there or not. Rejects as `stat` does. */
export type FindRealPlace = (path: FsPath) => Promise<RealPlace>;

/** A memo by identity, as that of watched writes. */
const FINDERS = new WeakMap<object, FindRealPlace>();

/** Gives the bridge back. */
export function offerRealPlaces<Bridge extends object>(
  bridge: Bridge,
  find: FindRealPlace,
): Bridge {
  FINDERS.set(bridge, find);
  return bridge;
}

/** undefined for a bridge that does not tell. */
export function realPlacesOf(bridge: Partial<FsBridge>): FindRealPlace | undefined {
  return FINDERS.get(bridge);
}
