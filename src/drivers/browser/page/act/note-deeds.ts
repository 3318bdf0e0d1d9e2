// Whether an act has begun to do something to the page, and when it last did: when a dialog interrupts
// it, the one decides between "it was done" and "it was not"; from the other on the page may settle.

import type { Acting } from "./acting.js";
import type { Begun } from "./cut-short.js";

/** What code in the page does by itself; everything else is a call of Playwright. */
const DEEDS: readonly string[] = ["put", "choose"];

export interface NotedDeeds {
  readonly acting: Acting;
  hasBegun(): boolean;
  /** For an act that is cut short. */
  begun(): Begun;
  /** undefined: nothing was done. */
  lastMs(): number | undefined;
}

export function noteDeeds(acting: Acting): NotedDeeds {
  const { handle, time } = acting;
  const { elements, clock } = handle;
  let hasBegun = false;
  let lastMs: number | undefined;
  const puts: { how?: string }[] = [];
  let steps = 0;
  let last = "";
  const notePut = (answer: Promise<unknown>) => {
    const put: { how?: string } = {};
    puts.push(put);
    steps = 0;
    const note = (value: unknown) => {
      if (typeof value === "object" && value !== null && "how" in value)
        put.how = String(value.how);
    };
    answer.then(note, () => undefined);
  };
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
          steps += 1;
          last = what;
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
            if (operation.op === "put") notePut(answer);
            return isDeed ? answer.then(noteEnd) : answer;
          },
        },
      },
    },
    hasBegun: () => hasBegun,
    begun: () => ({ puts, steps, last }),
    lastMs: () => lastMs,
  };
}
