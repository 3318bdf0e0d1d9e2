// Progress of one call as notifications: never more often than the client can use, each higher than
// the one before. Text that is too long is counted instead, so that no mark around it is cut off.

import type { ToolUpdate } from "../../../../core/index.js";
import { type RpcId, toNotification } from "../../protocol/json-rpc.js";
import type { Outlet } from "../outgoing.js";

const MIN_PAUSE_MS = 100;
const MAX_TEXT_CHARS = 2_000;

export interface ProgressOptions {
  readonly token: RpcId;
  readonly outlet: Outlet;
  readonly hasText: boolean;
}

export interface Progress {
  report(update: ToolUpdate): void;
  /** Nothing is sent afterwards: the answer is the last word. */
  end(): void;
}

export function createProgress({ token, outlet, hasText }: ProgressOptions): Progress {
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
    report(update) {
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
