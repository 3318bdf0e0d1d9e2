// What a second process does with a store. Each role says on standard output what is acknowledged;
// it begins when it is told to, so that several begin together.

import { once } from "node:events";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { isToolError, type Store } from "../../../src/core/index.js";
import { fillBefore, fillInUse } from "./full-disk-program.js";
import { recordOf, type VictimPlan } from "./kill-records.js";

const STANDARD_OUTPUT = 1;
const LEASE_MS = 5_000;

type Say = (line: string) => void;

interface Part {
  readonly store: Store;
  readonly path: string;
  readonly options: readonly string[];
  readonly say: Say;
}

const ROLES: Readonly<Record<string, (part: Part) => Promise<void>>> = {
  append: appendMany,
  race: raceForKeys,
  consume: consumeQueue,
  count: countUnderLease,
  victim: writeForEver,
  "fill-in-use": async ({ store, path, say }) => say(JSON.stringify(await fillInUse(store, path))),
  "fill-before": async ({ store, path, say }) => say(JSON.stringify(await fillBefore(store, path))),
};

export async function runRole(
  openStore: (path: string) => Store,
  [role = "", path = "", ...options]: readonly string[],
): Promise<void> {
  const run = ROLES[role];
  if (run === undefined) throw new Error(`There is no role "${role}".`);
  const lines = createInterface({ input: process.stdin });
  const say = (line: string) => {
    writeSync(STANDARD_OUTPUT, `${line}\n`);
  };
  const store = openStore(path);
  say("ready");
  await once(lines, "line");
  await run({ store, path, options, say });
  await store.close();
  lines.close();
}

async function appendMany({ store, options, say }: Part): Promise<void> {
  const [tag = "", count = "0"] = options;
  for (let index = 0; index < Number(count); index++) {
    const records = [{ tag, index }];
    const { firstSequence } = await store.log.append({ stream: "shared", records });
    say(`${firstSequence}`);
  }
}

/** Says which keys it was the first to put. */
async function raceForKeys({ store, options, say }: Part): Promise<void> {
  const [rounds = "0"] = options;
  for (let round = 0; round < Number(rounds); round++) {
    const put = store.kv.put({
      space: "race",
      key: `${round}`,
      value: process.pid,
      expectRevision: 0,
    });
    if (await isWon(put)) say(`${round}`);
  }
}

async function isWon(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (isToolError(error) && error.code === "conflict") return false;
    throw error;
  }
}

async function consumeQueue({ store, say }: Part): Promise<void> {
  const queue = "jobs";
  for (;;) {
    const [entry] = await store.queue.claim({ queue, visibilityMs: 60_000 });
    if (entry === undefined) return;
    await store.queue.acknowledge({ queue, receipt: entry.receipt });
    say(JSON.stringify(entry.value));
  }
}

/** Reads, adds one, writes: without the lease, counts of two processes would get lost. */
async function countUnderLease({ store, options, say }: Part): Promise<void> {
  const [count = "0"] = options;
  const place = { space: "count", key: "total" };
  for (let index = 0; index < Number(count); index++) {
    const lease = await waitForLease(store);
    const found = await store.kv.get(place);
    await store.kv.put({ ...place, value: Number(found?.value ?? 0) + 1 });
    await store.lease.release(lease);
    say(`${lease.token}`);
  }
}

async function waitForLease(store: Store) {
  for (;;) {
    try {
      return await store.lease.acquire({
        name: "count",
        holder: `${process.pid}`,
        ttlMs: LEASE_MS,
      });
    } catch (error) {
      if (!(isToolError(error) && error.reason === "lease_held")) throw error;
    }
  }
}

/** Writes until it is killed; each step is said when it begins and when it is acknowledged. */
async function writeForEver({ store, options, say }: Part): Promise<void> {
  const [planText = "{}"] = options;
  // Written by the test that starts this program.
  const plan = JSON.parse(planText) as VictimPlan;
  for (let step = plan.first; ; step++) {
    say(`begin ${step}`);
    await writeStep(store, { step, plan });
    say(`done ${step}`);
  }
}

async function writeStep(
  store: Store,
  { step, plan }: { readonly step: number; readonly plan: VictimPlan },
): Promise<void> {
  const value = recordOf({ step, plan });
  const durability = step % 3 === 0 ? "disk" : "process";
  // What belongs together comes together: three records, the value and the job of one step.
  await store.transact(
    [
      {
        kind: "log.append",
        stream: "steps",
        records: [value, { step, part: 2 }, { step, part: 3 }],
      },
      { kind: "kv.put", space: "steps", key: "last", value: { step } },
      { kind: "queue.push", queue: "steps", value: { step } },
    ],
    { durability },
  );
}
