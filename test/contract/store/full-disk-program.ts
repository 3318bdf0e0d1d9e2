// What a process does with a store on a disk that is full, and when there is space again.

import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isToolError, type Store } from "../../../src/core/index.js";

const BALLAST_CHUNK_BYTES = 64 * 1024;
const RECORD_CHARS = 20_000;
const TRIES_WHEN_FULL = 5;
const MAX_APPENDS = 2_000;
export const ROUNDS = 16;
const SPARE_BYTES = 4_096;

export interface FullDiskReport {
  /** What the writes were refused with, in the order of their first occurrence. */
  readonly refusals: readonly string[];
  readonly acknowledged: number;
  /** How often all that was acknowledged could be read while the disk was full. */
  readonly readableWhenFull: number;
  /** From the moment there was space until a write was acknowledged. */
  readonly recoveryMs: number;
  /** Records in the end, each equal to what was written. */
  readonly present: number;
}

/** Fills what is left of the disk. */
function writeBallast(folder: string): void {
  const chunk = Buffer.alloc(BALLAST_CHUNK_BYTES, 1);
  for (let count = 0; ; count++) {
    try {
      writeFileSync(join(folder, `ballast-${count}`), chunk);
    } catch (error) {
      if (error instanceof Error && Reflect.get(error, "code") === "ENOSPC") return;
      throw error;
    }
  }
}

function removeBallast(folder: string): void {
  for (let count = 0; count < MAX_APPENDS; count++) {
    rmSync(join(folder, `ballast-${count}`), { force: true });
  }
}

const recordOf = (index: number) => ({ index, text: `${index};`.padEnd(RECORD_CHARS, "x") });

function append(store: Store, index: number): Promise<unknown> {
  const durability = index % 2 === 0 ? "disk" : "process";
  return store.log.append({ stream: "full", records: [recordOf(index)], durability });
}

async function readAll(store: Store): Promise<number> {
  let present = 0;
  let after: number | undefined;
  do {
    const page = await store.log.read({ stream: "full", after });
    for (const { value } of page.records) {
      if (JSON.stringify(value) !== JSON.stringify(recordOf(present))) {
        throw new Error(`record ${present} is not what was written`);
      }
      present++;
    }
    after = page.next;
  } while (after !== undefined);
  return present;
}

async function refusalOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (isToolError(error)) return `${error.code}/${error.reason}`;
    throw error;
  }
}

async function goOn(store: Store, index: number): Promise<number> {
  const beganMs = performance.now();
  await append(store, index);
  return performance.now() - beganMs;
}

/** Full while the store is in use, each time with a little more space, so at other points. */
export async function fillInUse(store: Store, folder: string): Promise<FullDiskReport> {
  const refusals = new Set<string>();
  let acknowledged = 0;
  let readableWhenFull = 0;
  let recoveryMs = 0;
  await append(store, acknowledged++);
  for (let round = 0; round < ROUNDS; round++) {
    writeBallast(folder);
    truncateSync(join(folder, "ballast-0"), BALLAST_CHUNK_BYTES - round * SPARE_BYTES);
    for (let failures = 0; failures < TRIES_WHEN_FULL && acknowledged < MAX_APPENDS; ) {
      const refusal = await refusalOf(append(store, acknowledged));
      if (refusal === undefined) acknowledged++;
      else {
        failures++;
        refusals.add(refusal);
      }
    }
    if ((await readAll(store)) === acknowledged) readableWhenFull++;
    removeBallast(folder);
    recoveryMs = Math.max(recoveryMs, await goOn(store, acknowledged++));
  }
  const present = await readAll(store);
  return { refusals: [...refusals], acknowledged, readableWhenFull, recoveryMs, present };
}

/** Full before the first use of the store. */
export async function fillBefore(store: Store, folder: string): Promise<FullDiskReport> {
  writeBallast(folder);
  const refusals = new Set<string>();
  for (let tries = 0; tries < TRIES_WHEN_FULL; tries++) {
    refusals.add((await refusalOf(append(store, 0))) ?? "none");
  }
  removeBallast(folder);
  const recoveryMs = await goOn(store, 0);
  const present = await readAll(store);
  return { refusals: [...refusals], acknowledged: 1, readableWhenFull: 0, recoveryMs, present };
}
