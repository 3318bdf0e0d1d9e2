// Scrolling as models ask for it: by a direction or a distance, which keys do here. An element is
// scrolled to by its ref, which is left to scrollIntoView.

import { ToolInputError } from "../../../core/index.js";
import type { ActFields } from "./act-fields.js";
import { readNumber } from "./read-value.js";

/** By small letters, without what stands between the words. */
const KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    down: "PageDown",
    pagedown: "PageDown",
    next: "PageDown",
    up: "PageUp",
    pageup: "PageUp",
    previous: "PageUp",
    bottom: "End",
    end: "End",
    top: "Home",
    start: "Home",
    home: "Home",
    left: "ArrowLeft",
    right: "ArrowRight",
    arrowdown: "PageDown",
    arrowup: "PageUp",
  }),
);
/** Nobody measures a page: who asks for so many pixels means its end. */
const ALL_PX = 5_000;

/** The key that scrolls the page so. Throws when it is not said where to. */
export function readScrollKey(fields: ActFields): string {
  const { key, endRef, text, x, y } = fields;
  for (const said of [key, endRef, text]) {
    const word = typeof said === "string" ? said.toLowerCase().replace(/[\s_-]+/g, "") : "";
    const found = KEYS.get(word);
    if (found !== undefined) return found;
  }
  const across = x === undefined ? 0 : readNumber(x, "x");
  const down = y === undefined ? undefined : readNumber(y, "y");
  if (!down && across !== 0) return across > 0 ? "ArrowRight" : "ArrowLeft";
  if (down === undefined) throw noPlace();
  if (Math.abs(down) >= ALL_PX) return down > 0 ? "End" : "Home";
  if (down === 0) return "Home";
  return down > 0 ? "PageDown" : "PageUp";
}

function noPlace(): ToolInputError {
  return new ToolInputError(
    'scrollIntoView needs ref. The page itself is scrolled by keys: {"action":"act","kind":"press","key":"PageDown"}, or PageUp, End, Home.',
    { reason: "arguments_invalid", details: { missing: "ref" } },
  );
}
