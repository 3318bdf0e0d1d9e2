// The script at the start of every document: its listeners stand before those of the page. It knows
// nothing itself; it asks the guard in our own world by an event whose name nobody else knows.

import {
  IS_KNOWN,
  KEY_EVENTS,
  POINTER_EVENTS,
  WAS_STOPPED,
} from "../../inpage/guard/guarded-events.js";

/** Longer than it takes from the look at an element to the input. */
const YOUNG_MS = 1_000;

export interface GuardScriptOptions {
  /**
   * What becomes of input to a document that has just come, and that nobody looked at yet: it was meant
   * for the one before. `pass` where people use the browser too.
   */
  readonly young: "stop" | "pass";
}

/** For `context.addInitScript`, before the first page. The name is a secret of this browser. */
export function guardScript(guardName: string, { young }: GuardScriptOptions): string {
  const types = JSON.stringify([...POINTER_EVENTS, ...KEY_EVENTS]);
  return `(() => {
  const name = ${JSON.stringify(guardName)};
  const youngMs = ${young === "stop" ? YOUNG_MS : 0};
  const { apply } = Reflect;
  const { addEventListener, dispatchEvent } = EventTarget.prototype;
  const { composedPath, preventDefault, stopImmediatePropagation } = Event.prototype;
  const readX = Object.getOwnPropertyDescriptor(MouseEvent.prototype, "clientX").get;
  const readY = Object.getOwnPropertyDescriptor(MouseEvent.prototype, "clientY").get;
  const readDetail = Object.getOwnPropertyDescriptor(UIEvent.prototype, "detail").get;
  const Asking = MouseEvent;
  const clock = performance;
  const { now } = Performance.prototype;
  const bornMs = apply(now, clock, []);
  let isStopped = false;
  const ask = (target, detail, event) => {
    const asked = { cancelable: true, composed: true, detail };
    if (event && detail < ${POINTER_EVENTS.length}) {
      asked.clientX = apply(readX, event, []);
      asked.clientY = apply(readY, event, []);
    }
    return !apply(dispatchEvent, target, [new Asking(name, asked)]);
  };
  const isUnknown = () => apply(now, clock, []) - bornMs < youngMs && !ask(window, ${IS_KNOWN});
  apply(addEventListener, window, [name, (event) => {
    if (apply(readDetail, event, []) !== ${WAS_STOPPED}) return;
    if (isStopped) apply(preventDefault, event, []);
    isStopped = false;
  }, true]);
  ${types}.forEach((type, detail) => {
    apply(addEventListener, window, [type, (event) => {
      if (!event.isTrusted) return;
      const isAnother = ask(apply(composedPath, event, [])[0], detail, event);
      const isEarly = !isAnother && isUnknown();
      if (isEarly) isStopped = true;
      if (!isAnother && !isEarly) return;
      apply(preventDefault, event, []);
      apply(stopImmediatePropagation, event, []);
    }, { capture: true, passive: false }]);
  });
})();`;
}
