// Work on files that no other call may read or change meanwhile, through any bridge: one that offers
// `exclusive` sees to it itself, for all others there is a queue per bridge and path text.

import type { FsBridge, FsPath } from "../ports/fs-bridge.js";
import { toPlainPath } from "./path-text.js";
import { awaitTurn, createTurnQueue, type TurnQueue } from "./turn-queue.js";

/** A memo by identity: the queue of a bridge goes with the bridge. */
const QUEUES = new WeakMap<FsBridge, TurnQueue>();

/**
 * `work` uses the bridge it is given and no other for these paths, or it waits for itself.
 * Throws when a signal of `paths` fires before the turn has come.
 */
export async function withFiles<T>(
  bridge: FsBridge,
  paths: readonly FsPath[],
  work: (bridge: FsBridge) => Promise<T>,
): Promise<T> {
  if (typeof bridge.exclusive === "function") return bridge.exclusive(paths, work);
  const names = paths.map(({ filePath, cwd }) => toPlainPath(filePath, cwd));
  const turn = queueOf(bridge).take(names, "alone");
  try {
    await awaitTurn(
      turn,
      paths.map(({ signal }) => signal),
    );
    return await work(bridge);
  } finally {
    turn.leave();
  }
}

function queueOf(bridge: FsBridge): TurnQueue {
  const known = QUEUES.get(bridge);
  if (known) return known;
  const made = createTurnQueue();
  QUEUES.set(bridge, made);
  return made;
}
