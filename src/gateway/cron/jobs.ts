// The jobs in the store with a copy in memory, and when each is due. A write that another writer came
// before is refused, and the job is read again.

import { isToolError, type Store, type StoreOperation, ToolError } from "../../core/index.js";
import type { Job } from "./job.js";

const SPACE = "cron:jobs";
const PAGE = 1_000;

export interface JobEntry {
  readonly job: Job;
  readonly revision: number;
}

export async function loadJobs(store: Store) {
  const entries = new Map<string, JobEntry>();
  /** Slots, latest first. A job that has changed since leaves its old slot here until that has come. */
  const slots: (readonly [slotMs: number, id: string])[] = [];

  function note(job: Job, revision: number): void {
    entries.set(job.id, { job, revision });
    const { nextRunAtMs } = job.state;
    if (job.enabled && nextRunAtMs !== undefined) addSlot(nextRunAtMs, job.id);
  }

  function addSlot(slotMs: number, id: string): void {
    let [low, high] = [0, slots.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((slots[middle]?.[0] ?? 0) > slotMs) low = middle + 1;
      else high = middle;
    }
    slots.splice(low, 0, [slotMs, id]);
  }

  async function reload(id: string): Promise<void> {
    const found = await store.kv.get({ space: SPACE, key: id });
    if (found) note(toJob(found.value), found.revision);
    else entries.delete(id);
  }

  /** False when another writer came first. */
  async function write(id: string, operations: readonly StoreOperation[]) {
    try {
      return await store.transact(operations);
    } catch (error) {
      if (!isToolError(error) || error.code !== "conflict") throw error;
      await reload(id);
      return undefined;
    }
  }

  for (let after: string | undefined; ; ) {
    const page = await store.kv.list({ space: SPACE, after, limit: PAGE });
    for (const { value, revision } of page.entries) note(toJob(value), revision);
    after = page.next;
    if (after === undefined) break;
  }

  return {
    all: (): readonly Job[] => [...entries.values()].map(({ job }) => job).sort(byNext),
    count: () => entries.size,
    get: (id: string): JobEntry | undefined => entries.get(id),
    find(id: string): JobEntry {
      const entry = entries.get(id);
      if (entry) return entry;
      throw new ToolError(
        "not_found",
        `No cron job "${id.slice(0, 80)}". See cron.list, or \`clawtools cron list\`.`,
        { reason: "cron_job_not_found" },
      );
    },
    nextMs: () => slots.at(-1)?.[0],
    /** Each job whose slot has come, once. */
    *takeDue(nowMs: number): Generator<JobEntry> {
      const due = slots.findLastIndex(([slotMs]) => slotMs > nowMs) + 1;
      for (const [slotMs, id] of slots.splice(due).reverse()) {
        const entry = entries.get(id);
        if (entry?.job.enabled && entry.job.state.nextRunAtMs === slotMs) yield entry;
      }
    },
    async add(job: Job): Promise<void> {
      const place = { space: SPACE, key: job.id };
      const put = { ...place, value: job, expectRevision: 0, durability: "disk" } as const;
      note(job, (await store.kv.put(put)).revision);
    },
    /** Writes a changed job with what belongs to it; false when another writer came first. */
    async commit({ job, revision }: JobEntry, more: readonly StoreOperation[]): Promise<boolean> {
      const place = { space: SPACE, key: job.id };
      const put = { kind: "kv.put", ...place, value: job, expectRevision: revision } as const;
      const outcomes = await write(job.id, [put, ...more]);
      if (outcomes === undefined) return false;
      note(job, outcomes[0]?.revision ?? 0);
      return true;
    },
    /** The same for a job that goes. */
    async commitRemoval({ job, revision }: JobEntry, more: readonly StoreOperation[]) {
      const target = { space: SPACE, key: job.id, expectRevision: revision };
      const outcomes = await write(job.id, [{ kind: "kv.delete", ...target }, ...more]);
      if (outcomes !== undefined) entries.delete(job.id);
      return outcomes !== undefined;
    },
    async remove(id: string): Promise<boolean> {
      entries.delete(id);
      return await store.kv.delete({ space: SPACE, key: id });
    },
  };
}

/** Written by this file alone, after it was parsed. */
function toJob(value: unknown): Job {
  return value as Job;
}

function byNext(one: Job, other: Job): number {
  const [a, b] = [one, other].map(({ state }) => state.nextRunAtMs ?? Number.MAX_SAFE_INTEGER);
  return (a ?? 0) - (b ?? 0) || one.createdAtMs - other.createdAtMs;
}
