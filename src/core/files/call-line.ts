// A line in which calls stand while they get ready: however long each takes for it, they go ahead in
// the order in which they came. What they do afterwards is their own.

import type { FsBridge } from "../ports/fs-bridge.js";

export interface LinePlace {
  /** undefined when all who came before have gone ahead or left. */
  turn(): Promise<void> | undefined;
  /** Goes ahead, or gives up, which ends a wait for the turn; a second time does nothing. */
  leave(): void;
}

export interface CallLine {
  /** Takes the last place at this moment. */
  enter(): LinePlace;
  /** How many stand in it. */
  readonly size: number;
}

/** The lines of the calls that work through one bridge. */
export interface BridgeLines {
  /** While arguments are read, for which a tool may have to be loaded. */
  readonly reading: CallLine;
  /** While what a call needs is opened and written down. */
  readonly beginning: CallLine;
}

const LINES = new WeakMap<FsBridge, BridgeLines>();

export function linesOf(bridge: FsBridge): BridgeLines {
  const known = LINES.get(bridge);
  if (known) return known;
  const made = { reading: createCallLine(), beginning: createCallLine() };
  LINES.set(bridge, made);
  return made;
}

interface Standing {
  waiting?: Promise<void>;
  begin?: () => void;
}

export function createCallLine(): CallLine {
  const standing = new Set<Standing>();
  const isFirst = (one: Standing) => {
    for (const first of standing) return first === one;
    return true;
  };
  return {
    get size() {
      return standing.size;
    },
    enter() {
      const own: Standing = {};
      standing.add(own);
      return {
        turn() {
          if (isFirst(own) || !standing.has(own)) return undefined;
          own.waiting ??= new Promise((resolve) => {
            own.begin = resolve;
          });
          return own.waiting;
        },
        leave() {
          if (!standing.delete(own)) return;
          own.begin?.();
          for (const first of standing) {
            first.begin?.();
            break;
          }
        },
      };
    },
  };
}
