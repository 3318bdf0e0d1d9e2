// Whether an act has begun to do something to the page, and when it last did: when a dialog interrupts
// it, the one decides between "it was done" and "it was not"; from the other on the page may settle.

import type { Acting } from "./acting.js";

/** What code in the page does by itself; everything else is a call of Playwright. */
const DEEDS: readonly string[] = ["put", "choose"];

export interface NotedDeeds {
  readonly acting: Acting;
  hasBegun(): boolean;
  /** undefined: nothing was done. */
  lastMs(): number | undefined;
}

export function noteDeeds(acting: Acting): NotedDeeds {
  const { handle, time } = acting;
  const { elements, clock } = handle;
  let hasBegun = false;
  let lastMs: number | undefined;
  const noteEnd = <Value>(value: Value): Value => {
    lastMs = clock.now();
    return value;
  };
  return {
    acting: {
      ...acting,
      time: {
        ...time,
        call: (what, work) => {
          hasBegun = true;
          return time.call(what, work).then(noteEnd);
        },
        step: (what, work) => {
          hasBegun = true;
          return time.step(what, work).then(noteEnd);
        },
      },
      handle: {
        ...handle,
        elements: {
          ...elements,
          ask: (frame, operation, scope) => {
            const isDeed = DEEDS.includes(operation.op);
            hasBegun ||= isDeed;
            const answer = elements.ask(frame, operation, scope);
            return isDeed ? answer.then(noteEnd) : answer;
          },
        },
      },
    },
    hasBegun: () => hasBegun,
    lastMs: () => lastMs,
  };
}
