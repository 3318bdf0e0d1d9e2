// The end of a browser as all who wait see it: one typed error for everybody, as soon as it is known.

import type { ToolError } from "../../../core/index.js";
import { browserGone, tabClosed } from "./playwright-errors.js";

/** Pages are reported closed before their browser is. */
const MAX_END_MS = 300;
const LOOK_PAUSE_MS = 20;

export interface SessionEnd {
  isOver(): boolean;
  /** Anyone who waits is informed when the browser is gone, whatever the driver library does. */
  race<Value>(work: () => Promise<Value>): Promise<Value>;
  /** From now on the end is our doing. */
  want(): void;
  /** It is gone. Again is the same as once. */
  note(): void;
  /** A tab was closed: by itself, or with the whole browser, which is known a moment later. */
  toClosedError(targetId: string): Promise<ToolError>;
}

export interface SessionEndSource {
  readonly profile: string;
  /** Once, when it is gone without our doing; `wasReported` when someone waited and knows. */
  readonly onGone: (facts: { readonly wasReported: boolean }) => void;
}

export function createSessionEnd({ profile, onGone }: SessionEndSource): SessionEnd {
  const waiting = new Set<(error: ToolError) => void>();
  let state: "none" | "wanted" | "gone" = "none";
  const isOver = () => state !== "none";

  return {
    isOver,
    race(work) {
      if (isOver()) return Promise.reject(browserGone(profile, "it was ended"));
      return new Promise((resolve, reject) => {
        waiting.add(reject);
        work()
          .then(resolve, reject)
          .finally(() => waiting.delete(reject));
      });
    },
    want() {
      if (state === "none") state = "wanted";
    },
    note() {
      if (state === "gone") return;
      const wasWanted = state === "wanted";
      const wasReported = waiting.size > 0;
      state = "gone";
      const why = wasWanted ? "it was stopped" : "its process ended";
      for (const reject of waiting) reject(browserGone(profile, why));
      waiting.clear();
      if (!wasWanted) onGone({ wasReported });
    },
    async toClosedError(targetId) {
      for (let waitedMs = 0; !isOver() && waitedMs < MAX_END_MS; waitedMs += LOOK_PAUSE_MS) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS));
      }
      return isOver() ? browserGone(profile, "its process ended") : tabClosed(targetId);
    },
  };
}
