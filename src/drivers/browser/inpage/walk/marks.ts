// What of an element changes without a record: whether styles show it, what stands in a field, whether it
// has a shadow root. Compared with what it was when it was read, so that nothing far from a change is missed.

import { remember } from "../remember.js";
import { fieldValue } from "../row/field-value.js";
import { isConnected, shadowOf, tagOf } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";

const FIELD_TAGS = new Set("input select textarea".split(" "));
const IN_LINE = "3";

export interface Marks {
  /** All is read anew. */
  clear(): void;
  /** It is read now. */
  note(element: Element): void;
  /** Elements that are otherwise by now, the highest of each part, or what it stood in a line of. */
  takeChanged(): readonly Element[];
}

export function createMarks(): Marks {
  /** Kept, because to ask for one anew is dearer than all that is asked of it. */
  const styles = new WeakMap<Element, CSSStyleDeclaration>();
  const marks = new Map<Element, string>();
  const markOf = (element: Element) => {
    const { display, visibility } = remember(styles, element, (each) => getComputedStyle(each));
    return `${sightOf(display, visibility)}${shadowOf(element) ? "s" : stateOf(element)}`;
  };
  return {
    clear: () => marks.clear(),
    note: (element) => marks.set(element, markOf(element)),
    takeChanged: () => {
      const tops: Element[] = [];
      const changed = new Set<Element | null>();
      marks.forEach((was, element) => {
        const parent = changed.size > 0 ? parentElementOf(element) : null;
        const isBelow = changed.has(parent);
        const now = isBelow ? "" : markOf(element);
        if (now === was) return;
        marks.set(element, now);
        changed.add(element);
        // What stands in it is read with it.
        if (isBelow || !isConnected(element)) marks.delete(element);
        else
          tops.push((now[0] === "0" && was[0] === IN_LINE && parentElementOf(element)) || element);
      });
      return tops;
    },
  };
}

function sightOf(display: string, visibility: string): string {
  if (display === "none") return "0";
  if (visibility !== "visible") return "1";
  return display.startsWith("inline") ? IN_LINE : "2";
}

function stateOf(element: Element): string {
  if (!FIELD_TAGS.has(tagOf(element))) return "";
  if (!(element instanceof HTMLInputElement)) return fieldValue(element) ?? "";
  const { checked, indeterminate, value } = element;
  return `${checked}${indeterminate}${value}`;
}
