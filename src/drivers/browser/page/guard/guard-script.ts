// The script at the start of every document: its listeners stand before those of the page. It knows
// nothing itself; it asks the guard in our own world by an event whose name nobody else knows.

import { KEY_EVENTS, POINTER_EVENTS } from "../../inpage/guarded-events.js";

/** For `context.addInitScript`, before the first page. The name is a secret of this browser. */
export function guardScript(guardName: string): string {
  const types = JSON.stringify([...POINTER_EVENTS, ...KEY_EVENTS]);
  return `(() => {
  const name = ${JSON.stringify(guardName)};
  const { apply } = Reflect;
  const { addEventListener, dispatchEvent } = EventTarget.prototype;
  const { composedPath, preventDefault, stopImmediatePropagation } = Event.prototype;
  const Asking = MouseEvent;
  ${types}.forEach((type, detail) => {
    apply(addEventListener, window, [type, (event) => {
      if (!event.isTrusted) return;
      const target = apply(composedPath, event, [])[0];
      const question = new Asking(name, { cancelable: true, composed: true, detail });
      if (apply(dispatchEvent, target, [question])) return;
      apply(preventDefault, event, []);
      apply(stopImmediatePropagation, event, []);
    }, { capture: true, passive: false }]);
  });
})();`;
}
