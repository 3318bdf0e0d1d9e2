// The script at the start of every document, before those of the page. It asks the guard in our own
// world by an event with a secret name.
import {
  HAS_TIMER,
  IS_KNOWN,
  KEY_EVENTS,
  POINTER_EVENTS,
  WAS_STOPPED,
} from "../inpage/guard/guarded-events.js";

const YOUNG_MS = 1_000;
/** Short timers of the page often show the result of an input. */
const MAX_TIMER_MS = 350;
const LATE_MS = 20;

interface GuardScriptOptions {
  /** Early input was meant for the previous document. `pass`: people type too. */
  readonly young: "stop" | "pass";
}

export function guardScript(guardName: string, { young }: GuardScriptOptions): string {
  const types = JSON.stringify([...POINTER_EVENTS, ...KEY_EVENTS]);
  return `(() => {
  const name = ${JSON.stringify(guardName)};
  const youngMs = ${young === "stop" ? YOUNG_MS : 0};
  const { apply } = Reflect;
  const { max } = Math;
  const Wrapped = Proxy;
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
  let isCounting = false;
  let dueMs = 0;
  // Only during input: other timers may repeat forever.
  const countTimers = () => {
    if (isCounting) return;
    isCounting = true;
    const own = window.setTimeout;
    const counting = new Wrapped(own, { apply: (target, self, given) => {
      const ms = typeof given[1] === "number" ? given[1] : 0;
      if (ms <= ${MAX_TIMER_MS}) dueMs = max(dueMs, apply(now, clock, []) + ms + ${LATE_MS});
      return apply(target, self, given);
    } });
    window.setTimeout = counting;
    apply(own, window, [() => {
      isCounting = false;
      if (window.setTimeout === counting) window.setTimeout = own;
    }, 0]);
  };
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
    const asked = apply(readDetail, event, []);
    if (asked === ${HAS_TIMER} && apply(now, clock, []) < dueMs) apply(preventDefault, event, []);
    if (asked !== ${WAS_STOPPED}) return;
    if (isStopped) apply(preventDefault, event, []);
    isStopped = false;
  }, true]);
  ${types}.forEach((type, detail) => {
    apply(addEventListener, window, [type, (event) => {
      if (!event.isTrusted) return;
      const isAnother = ask(apply(composedPath, event, [])[0], detail, event);
      const isEarly = !isAnother && isUnknown();
      if (isEarly) isStopped = true;
      if (!isAnother && !isEarly) return countTimers();
      apply(preventDefault, event, []);
      apply(stopImmediatePropagation, event, []);
    }, { capture: true, passive: false }]);
  });
})();`;
}
