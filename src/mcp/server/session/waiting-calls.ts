// Calls that wait for approval after their request was answered, found again by the same call.
import type { CommandQuestion, InvokeResult, ToolUpdate } from "../../../core/index.js";
import { readText } from "../../../lib/read-field.js";
import { type RpcId, toNotification } from "../json-rpc.js";
import type { Exchange, Outlet } from "./session-parts.js";

const MAX_WAITING = 32;
/** After this the same call is a new one. */
const KEEP_MS = 5 * 60_000;

export interface ActiveCall {
  /** Tool and arguments. */
  readonly key: string;
  readonly controller: AbortController;
  readonly done: Promise<InvokeResult>;
  /** Fulfilled when it waits for approval. */
  readonly queued: Promise<void>;
  /** The current question, if any. */
  question: CommandQuestion | undefined;
  /** Of the current request. */
  exchange: Exchange;
  /** Until the returned function is called. */
  watch(progress: Progress | undefined): () => void;
}

export type WaitingCalls = ReturnType<typeof createWaitingCalls>;

export function createWaitingCalls() {
  /** Oldest first. Equal calls can wait at the same time. */
  const calls = new Set<ActiveCall>();
  const ended = new WeakSet<ActiveCall>();
  const forget = (call: ActiveCall) => calls.delete(call);
  return {
    /** An unanswered call is forgotten, so that it asks again. */
    keep(call: ActiveCall) {
      const [oldest] = calls;
      if (calls.size >= MAX_WAITING && oldest !== undefined) {
        forget(oldest);
        oldest.controller.abort();
      }
      calls.add(call);
      call.done.then(
        ({ details, isError }) => {
          ended.add(call);
          if (isError && isExpired(details)) forget(call);
          else setTimeout(() => forget(call), KEEP_MS).unref();
        },
        () => forget(call),
      );
    },
    /** One that has ended, else the oldest. */
    take(key: string) {
      const same = [...calls].filter((call) => call.key === key);
      const call = same.find((one) => ended.has(one)) ?? same[0];
      if (call) forget(call);
      return call;
    },
    count: () => calls.size,
    close(reason: unknown) {
      for (const { controller } of calls) controller.abort(reason);
      calls.clear();
    },
  };
}

function isExpired(details: unknown): boolean {
  return readText(details, "reason") === "approval_timeout";
}

const MIN_PAUSE_MS = 100;
const MAX_TEXT_CHARS = 2_000;

interface ProgressOptions {
  readonly token: RpcId;
  readonly outlet: Outlet;
  readonly hasText: boolean;
}

export type Progress = ReturnType<typeof createProgress>;

export function createProgress({ token, outlet, hasText }: ProgressOptions) {
  let count = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let latest: ToolUpdate | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function send(): void {
    timer = undefined;
    if (latest === undefined) return;
    const message = hasText ? showUpdate(latest) : undefined;
    latest = undefined;
    lastMs = performance.now();
    count++;
    const params = { progressToken: token, progress: count, ...(message ? { message } : {}) };
    outlet.send(toNotification("notifications/progress", params));
  }

  return {
    report(update: ToolUpdate) {
      latest = update;
      if (timer !== undefined) return;
      const pauseMs = lastMs + MIN_PAUSE_MS - performance.now();
      if (pauseMs <= 0) send();
      else timer = setTimeout(send, pauseMs);
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
      latest = undefined;
    },
  };
}

function showUpdate({ content = [] }: ToolUpdate): string | undefined {
  const text = content
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n")
    .trim();
  if (text === "") return undefined;
  return text.length <= MAX_TEXT_CHARS ? text : `${text.length} characters of output so far`;
}
