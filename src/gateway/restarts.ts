// Restarts of the gateway in its own process, and the notice for the session that asked: a
// row in the queue `wakes`, exactly once.

import { type Clock, type Store, type StoreOperation, ToolError } from "../core/index.js";
import type { GatewayLog } from "./log/log-file.js";

const SPACE = "gateway.restart";
const KEY = "pending";
export const WAKES_QUEUE = "wakes";
const DEFAULT_DELAY_MS = 2_000;
const MAX_DELAY_MS = 60_000;

export interface WakeRow {
  readonly kind: "restart" | "config-set" | "config-apply" | "config-patch" | "update";
  readonly status: "ok" | "error";
  readonly sessionKey: string;
  readonly note?: string | undefined;
  readonly message: string;
  readonly ts: number;
}

export interface RestartRequest {
  readonly kind: WakeRow["kind"];
  readonly reason: string;
  /** Default 2,000, at most 60,000. */
  readonly delayMs?: number | undefined;
  readonly sessionKey?: string | undefined;
  readonly note?: string | undefined;
}

interface RestartsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: GatewayLog;
  /** Ends this gateway and starts it again; absent where the program that made it cannot. */
  readonly restart: ((reason: string) => void) | undefined;
  /** A session has a pending notice. */
  onWake(): void;
}

interface Outcome extends Omit<WakeRow, "ts" | "sessionKey"> {
  readonly sessionKey?: string | undefined;
}

export type Restarts = ReturnType<typeof createRestarts>;

export function createRestarts({ store, clock, log, restart, onWake }: RestartsOptions) {
  let scheduled: { readonly answer: object; readonly stop: () => void } | undefined;
  return {
    isPossible: restart !== undefined,
    /** Fulfilled when the wish is on the disk. Throws `unavailable` where nothing can restart us. */
    async request({ kind, reason, delayMs = DEFAULT_DELAY_MS, sessionKey, note }: RestartRequest) {
      if (restart === undefined) {
        throw new ToolError(
          "unavailable",
          "This gateway cannot restart itself: the program that embeds it has to.",
          { reason: "restart_unavailable" },
        );
      }
      if (sessionKey !== undefined) {
        const place = { space: SPACE, key: `${KEY}:${sessionKey}` };
        const value = { kind, sessionKey, note, reason };
        await store.kv.put({ ...place, value, durability: "disk" });
      }
      // A restart that is already on its way takes this one along.
      if (scheduled) return { ...scheduled.answer, coalesced: true };
      const waitMs = Math.min(delayMs, MAX_DELAY_MS);
      const answer = { ok: true, delayMs: waitMs, reason, mode: "in-place", coalesced: false };
      const stop = clock.after(waitMs, () => {
        log.write("info", `restarting: ${reason}`);
        restart(reason);
      });
      scheduled = { answer, stop };
      return answer;
    },
    /** Notifies a session of an outcome; does nothing without a session. */
    async wake({ sessionKey, ...row }: Outcome): Promise<void> {
      if (sessionKey === undefined) return;
      const value: WakeRow = { ...row, sessionKey, ts: clock.now() };
      await store.queue.push({ queue: WAKES_QUEUE, value });
      onWake();
    },
    close: () => scheduled?.stop(),
  };
}

/** At a start: every wish that led here becomes one wake, in one transaction. */
export async function settleRestarts(
  store: Store,
  { clock, message }: { readonly clock: Clock; readonly message: string },
): Promise<void> {
  const { entries } = await store.kv.list({ space: SPACE, prefix: `${KEY}:` });
  for (const { key, value, revision } of entries) {
    // Rows of this space are written by this file alone.
    const { kind, sessionKey, note } = value as Pick<WakeRow, "kind" | "sessionKey" | "note">;
    const row: WakeRow = { kind, status: "ok", sessionKey, note, message, ts: clock.now() };
    const operations: StoreOperation[] = [
      { kind: "kv.delete", space: SPACE, key, expectRevision: revision },
      { kind: "queue.push", queue: WAKES_QUEUE, value: row },
    ];
    await store.transact(operations);
  }
}
