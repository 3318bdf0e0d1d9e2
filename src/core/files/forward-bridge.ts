// Bridges that hand every call on to another, which is chosen call by call; and such a bridge lent to
// work that has its turn at some files.

import type { FsBridge } from "../ports/fs-bridge.js";
import { offerRealPlaces, realPlacesOf } from "./real-place.js";
import { offerWatchedWrite, watchedWriteOf } from "./watched-write.js";

/** A bridge that offers every method. */
export type WholeBridge = Required<FsBridge>;

/**
 * `isWatched`: what is chosen lets its writes be watched, and tells real places. Whatever is called, all
 * get there in the same number of steps, so in their order.
 */
export function forwardBridge(
  choose: () => WholeBridge | Promise<WholeBridge>,
  { isWatched }: { readonly isWatched: boolean },
): WholeBridge {
  const bridge: WholeBridge = {
    stat: async (path) => (await choose()).stat(path),
    readFile: async (path) => (await choose()).readFile(path),
    mkdirp: async (path) => (await choose()).mkdirp(path),
    writeFile: async (request) => (await choose()).writeFile(request),
    openFile: async (path) => (await choose()).openFile(path),
    list: async (request) => (await choose()).list(request),
    remove: async (path) => (await choose()).remove(path),
    removeFolder: async (path) => (await choose()).removeFolder(path),
    rename: async (request) => (await choose()).rename(request),
    exclusive: async (paths, work) => (await choose()).exclusive(paths, work),
  };
  if (!isWatched) return bridge;
  offerRealPlaces(bridge, async (path) => {
    const find = realPlacesOf(await choose());
    if (!find) throw new TypeError("The bridge behind this one has lost its real places.");
    return find(path);
  });
  return offerWatchedWrite(bridge, async (request, watch) => {
    const write = watchedWriteOf(await choose());
    if (!write) throw new TypeError("The bridge behind this one has lost its watched write.");
    return write(request, watch);
  });
}

/** The methods of a bridge that has no queue, and the bridge that has one. */
export interface LentBridges {
  readonly held: Omit<WholeBridge, "exclusive">;
  readonly bridge: WholeBridge;
}

/** Gives `work` a bridge that waits for nobody, for as long as the work runs. */
export async function lendBridge<T>(
  { held, bridge }: LentBridges,
  work: (bridge: FsBridge) => Promise<T>,
): Promise<T> {
  let isOver = false;
  const whole: WholeBridge = { ...held, exclusive: async (_paths, inner) => inner(own) };
  const [now, later] = [watchedWriteOf(held), watchedWriteOf(bridge)];
  if (now) offerWatchedWrite(whole, now);
  const find = realPlacesOf(held);
  if (find) offerRealPlaces(whole, find);
  const isWatched = now !== undefined && later !== undefined;
  const own = forwardBridge(() => (isOver ? bridge : whole), { isWatched });
  try {
    return await work(own);
  } finally {
    isOver = true;
  }
}
