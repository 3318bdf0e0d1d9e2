// Whether a click that was to begin a download led to another page instead.

import type { PageHandle } from "../page-handle.js";

/** A page that was led to may begin one by itself, some moments later. */
const LEFT_MS = 5_000;

export interface Leaving {
  /** Aborted when another page has been there for a while. */
  readonly signal: AbortSignal;
  stop(): void;
}

export function watchLeaving({ page, clock }: Pick<PageHandle, "page" | "clock">): Leaving {
  const left = new AbortController();
  let cancel: () => void = () => undefined;
  // Of another document, not of another place in this one.
  const onDocument = () => {
    cancel();
    cancel = clock.after(LEFT_MS, () => left.abort());
  };
  page.on("domcontentloaded", onDocument);
  return {
    signal: left.signal,
    stop: () => {
      page.off("domcontentloaded", onDocument);
      cancel();
    },
  };
}
