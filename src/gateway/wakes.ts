// Tells sessions how the restart, change or update they asked for ended: each row of the queue becomes
// one message, in the transaction that removes the row.

import type { Agent } from "../agent/index.js";
import type { QueueEntry, Store } from "../core/index.js";
import { WAKES_QUEUE, type WakeRow } from "./restarts.js";

const BATCH = 10;
const VISIBILITY_MS = 30_000;

export interface WakesSource {
  readonly store: Store;
  readonly agent: Pick<Agent, "prepare" | "prepareNotice" | "wake">;
  readonly report: (message: string) => void;
}

/** Call it after a start and whenever a row was pushed. */
export function createWakes({ store, agent, report }: WakesSource) {
  async function deliver({ id, receipt, value }: QueueEntry): Promise<void> {
    // Written by `restarts.ts` alone.
    const { kind, status, sessionKey, note, message } = value as WakeRow;
    const text = [`${kind}: ${status}. ${message}`, note].filter(Boolean).join("\n");
    const operations = await agent
      .prepare({ message: text, sessionKey, runId: `wake:${id}` })
      .then(
        (prepared) => prepared.operations,
        // Without a model the session reads it with its next message.
        () => agent.prepareNotice(sessionKey, text),
      )
      .catch((error) => {
        report(`wake: ${String(error)} Not delivered to ${sessionKey}: ${text}`);
        return [];
      });
    const acknowledge = { kind: "queue.acknowledge", queue: WAKES_QUEUE, receipt } as const;
    await store.transact([acknowledge, ...operations], { durability: "disk" });
    agent.wake(sessionKey);
  }

  return async (): Promise<void> => {
    try {
      for (;;) {
        const request = { queue: WAKES_QUEUE, visibilityMs: VISIBILITY_MS, limit: BATCH };
        const rows = await store.queue.claim(request);
        for (const row of rows) await deliver(row);
        if (rows.length < BATCH) return;
      }
    } catch (error) {
      report(`wake: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}
