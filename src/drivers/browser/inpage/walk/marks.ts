// Detects changes without mutation records: visibility, field values, new shadow roots.

import { words } from "../collect.js";
import { fieldValue } from "../row/states.js";
import { isConnected, isInput, shadowOf, tagOf } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";

const FIELD_TAGS = words("input select textarea");
/** Tags that can get a shadow root. */
const HOST_TAGS =
  /-|^(?:article|aside|blockquote|body|div|footer|h\d|header|main|nav|p|section|span)$/u;
const IN_LINE = 3;
const NO_MARKS: ReadonlyMap<Element, Mark> = new Map();

export type Marks = ReturnType<typeof createMarks>;

interface Mark {
  /** Kept: getting a new one is slower than all reads of it. */
  readonly style: CSSStyleDeclaration;
  readonly state: ((element: Element) => string) | undefined;
  sight: number;
  last: string;
}

export function createMarks() {
  let marks = new Map<Element, Mark>();
  let before = NO_MARKS;
  return {
    clear: () => {
      before = marks;
      marks = new Map();
    },
    note: (element: Element) => {
      const mark = marks.get(element) ?? before.get(element) ?? createMark(element);
      mark.sight = sightOf(mark.style);
      mark.last = mark.state?.(element) ?? "";
      marks.set(element, mark);
      return mark.style;
    },
    wasInLine: (element: Element) => marks.get(element)?.sight === IN_LINE,
    takeChanged: () => {
      before = NO_MARKS;
      const tops: Element[] = [];
      const changed = new Set<Element | null>();
      for (const [element, mark] of marks) {
        const isBelow = changed.size > 0 && changed.has(parentElementOf(element));
        const sight = sightOf(mark.style);
        const last = mark.state?.(element) ?? "";
        if (!isBelow && sight === mark.sight && last === mark.last) continue;
        changed.add(element);
        if (isBelow || !isConnected(element)) marks.delete(element);
        else
          tops.push((sight === 0 && mark.sight === IN_LINE && parentElementOf(element)) || element);
        mark.sight = sight;
        mark.last = last;
      }
      return tops;
    },
  };
}

function createMark(element: Element): Mark {
  return { style: getComputedStyle(element), state: stateFor(element), sight: 0, last: "" };
}

function sightOf({ display, visibility }: CSSStyleDeclaration): number {
  if (display === "none") return 0;
  if (visibility !== "visible") return 1;
  return display.startsWith("inline") ? IN_LINE : 2;
}

function stateFor(element: Element): Mark["state"] {
  const tag = tagOf(element);
  if (FIELD_TAGS.has(tag)) return fieldState;
  return HOST_TAGS.test(tag) ? hasShadow : undefined;
}

function hasShadow(element: Element): string {
  return shadowOf(element) ? "s" : "";
}

function fieldState(element: Element): string {
  if (!isInput(element)) return fieldValue(element) ?? "";
  const { checked, indeterminate, value } = element;
  return `${checked}${indeterminate}${value}`;
}
