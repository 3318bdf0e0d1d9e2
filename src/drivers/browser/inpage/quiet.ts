// How long a document has been still. Style changes do not count: animations never end.
import { HAS_TIMER } from "./guard/guarded-events.js";
import type { Asks } from "./protocol.js";
import { page } from "./tree/clobbered.js";

/** This many changes in this time before `watch` mean it never rests. */
const BUSY_TIMES = 5;
const BUSY_MS = 150;

export type Quiet = ReturnType<typeof createQuiet>;

export function createQuiet(hear: (records: readonly MutationRecord[]) => void) {
  let lastAt = Number.NEGATIVE_INFINITY;
  let lastTimes: readonly number[] = [];
  let beganAt = performance.now();
  let wasBusy = false;
  let seenRecords = 0;
  const noteAll = (records: readonly MutationRecord[]) => {
    seenRecords += records.length;
    hear(records);
    if (records.every(({ attributeName }) => attributeName === "style")) return;
    lastAt = performance.now();
    lastTimes = [...lastTimes, lastAt].slice(-BUSY_TIMES);
  };
  const observer = observeRoots(noteAll);
  return {
    observe: observer.observe,
    stamp: () => {
      noteAll(observer.takeRecords());
      return seenRecords;
    },
    begin: () => {
      const now = performance.now();
      const [oldest = 0] = lastTimes;
      wasBusy = lastTimes.length === BUSY_TIMES && now - oldest < BUSY_MS;
      beganAt = now;
    },
    read: ({ guardName }: Asks<"quiet">) => ({
      quietMs: performance.now() - Math.max(lastAt, beganAt),
      wasBusy,
      hasTimer: askScript(guardName, HAS_TIMER),
      readyState: page.readyState(),
    }),
  };
}

export function observeRoots(note: (records: readonly MutationRecord[]) => void) {
  const seen = new WeakSet<Node>();
  const observer = new MutationObserver(note);
  return {
    observe(root: Document | ShadowRoot) {
      if (seen.has(root)) return;
      seen.add(root);
      observer.observe(root, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
        characterDataOldValue: true,
      });
    },
    takeRecords: () => observer.takeRecords(),
  };
}

export function askScript(guardName: string | undefined, detail: number): boolean {
  if (!guardName) return false;
  return !dispatchEvent(new MouseEvent(guardName, { cancelable: true, detail }));
}
