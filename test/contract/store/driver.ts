// What the conformance suite needs of a driver, and how its cases get a store.

import { afterEach, beforeEach, expect } from "vitest";
import { type Clock, isToolError, type Store } from "../../../src/core/index.js";
import { createManualClock, type ManualClock } from "../../fakes/manual-clock.js";

export interface StoreDriver {
  readonly name: string;
  createPlace(): StorePlace;
  /** For what a driver without a disk or without other processes cannot know. */
  readonly durable?: {
    /** The module with `openStore(place)` that a second process loads. */
    readonly module: string;
    /** Whether the records lie in the folder that `path` of a place names. */
    readonly inFolder: boolean;
  };
}

/** Where the records lie; opened again, the same records are there. */
export interface StorePlace {
  /** As other processes are told of it. */
  readonly path: string;
  open(clock: Clock): Store;
  remove(): void;
}

export interface Bench {
  readonly store: Store;
  readonly clock: ManualClock;
  /** Another store on the same place and clock. */
  reopen(): Store;
}

/** A fresh store on a clock that stands still, for each test of the file it is called in. */
export function useStore(driver: StoreDriver): () => Bench {
  let bench: Bench | undefined;
  let place: StorePlace | undefined;
  const stores: Store[] = [];

  beforeEach(() => {
    const clock = createManualClock();
    // Times before the epoch have no place in a store.
    clock.advance(1_000_000);
    const made = driver.createPlace();
    place = made;
    const reopen = () => {
      const store = made.open(clock);
      stores.push(store);
      return store;
    };
    bench = { store: reopen(), clock, reopen };
  });

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    place?.remove();
  });

  return () => {
    if (bench === undefined) throw new Error("A store is there inside of a test only.");
    return bench;
  };
}

/** The code and reason of what a call throws; fails when it throws nothing. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown, "nothing was thrown").toBeDefined();
  return isToolError(thrown) ? `${thrown.code}/${thrown.reason}` : `not typed: ${String(thrown)}`;
}
