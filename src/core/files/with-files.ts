// Runs work on files while no other call reads or changes them, through any bridge.

import { abortError } from "../errors.js";
import type { FsBridge, FsPath } from "../ports/fs-bridge.js";
import { toPlainPath } from "./request.js";

export type TurnMode = "shared" | "alone";

export interface Turn {
  readonly waiting: Promise<void> | undefined;
  /** Ends the turn, or cancels it, which ends the waiting; a second call does nothing. */
  leave(): void;
}

export interface TurnQueue {
  /** Takes a place at every name at this moment, so that no two turns wait for each other. */
  take(names: readonly string[], mode: TurnMode): Turn;
  readonly size: number;
}

interface Lane {
  running: number;
  isAlone: boolean;
  readonly waiting: Set<Place>;
}

interface Place {
  readonly mode: TurnMode;
  missing: number;
  begin(): void;
}

const QUEUES = new WeakMap<FsBridge, TurnQueue>();

/** Throws when a signal of `paths` fires before the turn has come. */
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

export function createTurnQueue(): TurnQueue {
  const lanes = new Map<string, Lane>();

  function leaveLane(name: string, place: Place): void {
    const lane = lanes.get(name);
    if (!lane) return;
    if (!lane.waiting.delete(place)) {
      lane.running--;
      lane.isAlone = false;
    }
    letNextIn(lane);
    if (lane.running === 0 && lane.waiting.size === 0) lanes.delete(name);
  }

  return {
    get size() {
      return lanes.size;
    },
    take(names, mode) {
      const own = new Set(names);
      const { place, begun } = createPlace(mode);
      for (const name of own) {
        const lane = lanes.get(name) ?? { running: 0, isAlone: false, waiting: new Set() };
        lanes.set(name, lane);
        if (lane.waiting.size === 0 && mayRun(lane, mode)) run(lane, mode);
        else {
          lane.waiting.add(place);
          place.missing++;
        }
      }
      let hasLeft = false;
      return {
        waiting: place.missing === 0 ? undefined : begun(),
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          place.begin();
          for (const name of own) leaveLane(name, place);
        },
      };
    },
  };
}

/** Waits until the turn has come; on abort leaves the queue and throws. */
export async function awaitTurn(
  turn: Turn,
  signals: readonly (AbortSignal | undefined)[],
): Promise<void> {
  if (!turn.waiting) return;
  const given = [...new Set(signals)].filter((signal) => signal !== undefined);
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(abortError(given.find((signal) => signal.aborted)));
  });
  const onAbort = () => stop?.();
  for (const signal of given) signal.addEventListener("abort", onAbort);
  try {
    if (given.some((signal) => signal.aborted)) onAbort();
    await Promise.race([turn.waiting, aborted]);
  } catch (error) {
    turn.leave();
    throw error;
  } finally {
    for (const signal of given) signal.removeEventListener("abort", onAbort);
  }
}

function createPlace(mode: TurnMode): { place: Place; begun(): Promise<void> } {
  const place: Place = { mode, missing: 0, begin: () => undefined };
  const begun = () =>
    new Promise<void>((resolve) => {
      place.begin = resolve;
    });
  return { place, begun };
}

function mayRun(lane: Lane, mode: TurnMode): boolean {
  return lane.running === 0 || (mode === "shared" && !lane.isAlone);
}

function run(lane: Lane, mode: TurnMode): void {
  lane.running++;
  lane.isAlone = mode === "alone";
}

function letNextIn(lane: Lane): void {
  for (const place of lane.waiting) {
    if (!mayRun(lane, place.mode)) return;
    lane.waiting.delete(place);
    run(lane, place.mode);
    place.missing--;
    if (place.missing === 0) place.begin();
  }
}
