// Calls that were answered with where they wait for an approval, and go on. The same call made again
// finds them, and what they came to.

import type { CommandQuestion, InvokeResult } from "../../../../core/index.js";
import type { Exchange } from "../session-parts.js";
import type { Progress } from "./progress.js";

const MAX_WAITING = 32;
/** What came of a call is kept so long; later the same call is meant as a new one. */
const KEEP_MS = 5 * 60_000;

/** One call of a tool, for longer than the request that began it. */
export interface ActiveCall {
  readonly id: string;
  /** The same for the same tool with the same arguments. */
  readonly key: string;
  readonly controller: AbortController;
  readonly done: Promise<InvokeResult>;
  /** Fulfilled when it has come to wait in the queue of approvals. */
  readonly queued: Promise<void>;
  /** What it waits for there; undefined when it does not, or not any more. */
  question: CommandQuestion | undefined;
  /** Of the request that waits for it now. */
  exchange: Exchange;
  /** Its progress goes there until the returned function is called. */
  watch(progress: Progress | undefined): () => void;
}

export interface WaitingCalls {
  /** Forgets it when it ended because nobody answered: then it is asked anew. */
  keep(call: ActiveCall): void;
  take(key: string): ActiveCall | undefined;
  count(): number;
  close(): void;
}

export function createWaitingCalls(): WaitingCalls {
  const calls = new Map<string, ActiveCall>();
  const forget = (call: ActiveCall) => {
    if (calls.get(call.key) === call) calls.delete(call.key);
  };
  return {
    keep(call) {
      const [oldest] = calls.values();
      if (calls.size >= MAX_WAITING && oldest !== undefined) {
        forget(oldest);
        oldest.controller.abort();
      }
      calls.set(call.key, call);
      call.done.then(
        ({ details, isError }) => {
          if (isError && isExpired(details)) forget(call);
          else setTimeout(() => forget(call), KEEP_MS).unref();
        },
        () => forget(call),
      );
    },
    take(key) {
      const call = calls.get(key);
      calls.delete(key);
      return call;
    },
    count: () => calls.size,
    close() {
      for (const { controller } of calls.values()) controller.abort();
      calls.clear();
    },
  };
}

function isExpired(details: unknown): boolean {
  return (
    typeof details === "object" &&
    details !== null &&
    Reflect.get(details, "reason") === "approval_timeout"
  );
}
