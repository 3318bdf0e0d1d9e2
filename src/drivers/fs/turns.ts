// Who may use a path now. Calls queue twice: by the text of their path from the moment they are
// made, so that calls with one spelling run in their order, and by the real path once it is known,
// so that no two spellings of one file meet.
import {
  awaitTurn,
  createTurnQueue,
  type Turn,
  type TurnMode,
  type TurnQueue,
} from "../../core/files/index.js";
import { abortError } from "../../core/index.js";
import { fileBusy, pathChanged } from "./errors.js";

const MAX_TRIES = 10;
export const DEFAULT_MAX_WAIT_MS = 120_000;
/** One for the whole process, because bridges may share files. */
export const PROCESS_QUEUE: TurnQueue = createTurnQueue();

interface Wish {
  readonly mode: TurnMode;
  readonly path: string;
  readonly signals: readonly (AbortSignal | undefined)[];
}

interface TextWish extends Wish {
  readonly texts: readonly string[];
}

export interface Found {
  readonly places: readonly string[];
  close(): void;
}

interface PlaceWish<F extends Found> extends Wish {
  find(): Promise<F>;
}

export interface Turns {
  /** Takes a place in the queue of these texts at once, and runs `work` when its turn has come. */
  byText<T>(wish: TextWish, work: () => Promise<T>): Promise<T>;
  /** Runs `use` on what was found, in the turn of its real paths. */
  byPlace<F extends Found, T>(wish: PlaceWish<F>, use: (found: F) => Promise<T>): Promise<T>;
}

export function createTurns(maxWaitMs = DEFAULT_MAX_WAIT_MS, queue = PROCESS_QUEUE): Turns {
  const wait = (turn: Turn, wish: Wish) => awaitWithin({ turn, wish, maxWaitMs });
  return {
    async byText(wish, work) {
      const names = wish.texts.map((text) => `text ${text}`);
      const turn = queue.take(names, wish.mode);
      try {
        if (turn.waiting) await wait(turn, wish);
        return await work();
      } finally {
        turn.leave();
      }
    },

    async byPlace(wish, use) {
      let held: { turn: Turn; names: readonly string[] } | undefined;
      let hasCome = false;
      try {
        for (let tries = 0; tries < MAX_TRIES; tries++) {
          const found = await wish.find();
          try {
            const names = found.places.map((place) => `place ${place}`);
            if (!held || !isSameList(held.names, names)) {
              held?.turn.leave();
              held = { turn: queue.take(names, wish.mode), names };
              hasCome = held.turn.waiting === undefined;
            }
            if (hasCome) return await use(found);
          } finally {
            found.close();
          }
          // What was found may be another file when the turn comes, so it is not kept open.
          await wait(held.turn, wish);
          hasCome = true;
        }
        throw pathChanged(wish.path);
      } finally {
        held?.turn.leave();
      }
    },
  };
}

export const NO_TURNS: Turns = {
  byText: (_wish, work) => work(),
  async byPlace(wish, use) {
    const found = await wish.find();
    try {
      return await use(found);
    } finally {
      found.close();
    }
  },
};

async function awaitWithin(waiting: { turn: Turn; wish: Wish; maxWaitMs: number }): Promise<void> {
  const { turn, wish, maxWaitMs } = waiting;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), maxWaitMs);
  try {
    await awaitTurn(turn, [...wish.signals, limit.signal]);
  } catch (error) {
    const isByCaller = wish.signals.some((signal) => signal?.aborted);
    throw limit.signal.aborted && !isByCaller ? fileBusy(wish.path, maxWaitMs) : error;
  } finally {
    clearTimeout(timer);
  }
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

export interface SlotWish {
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Then it goes on without a slot: a disk that hangs must not hold up all others. */
  readonly maxWaitMs: number;
}

export interface Slots {
  take(wish: SlotWish): (() => void) | Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<(leave: () => void) => void>();

  function give(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = waiting;
      if (!next) free++;
      else {
        waiting.delete(next);
        next(give());
      }
    };
  }

  function wait({ signals, maxWaitMs }: SlotWish): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        waiting.delete(take);
        for (const signal of signals) signal?.removeEventListener("abort", stop);
      };
      const take = (leave: () => void) => {
        end();
        resolve(leave);
      };
      const stop = () => {
        end();
        reject(abortError(signals.find((signal) => signal?.aborted)));
      };
      const timer = setTimeout(() => take(() => undefined), maxWaitMs);
      for (const signal of signals) signal?.addEventListener("abort", stop);
      waiting.add(take);
    });
  }

  return {
    take(wish) {
      if (free === 0) return wait(wish);
      free--;
      return give();
    },
  };
}
