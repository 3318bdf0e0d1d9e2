// What of an element changes without a record: whether styles show it, what stands in a field, whether it
// has a shadow root. Compared with what it was when it was read, so that nothing far from a change is missed.

import { fieldValue } from "../row/field-value.js";
import { isConnected, shadowOf, tagOf } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";

const FIELD_TAGS = new Set("input select textarea".split(" "));
/** Of what has none yet, these may get a shadow root, and tags with a hyphen. */
const HOST_TAGS =
  /-|^(?:article|aside|blockquote|body|div|footer|h\d|header|main|nav|p|section|span)$/u;
const IN_LINE = 3;

export interface Marks {
  /** All is read anew. */
  clear(): void;
  /** It is read now. */
  note(element: Element): void;
  /** Elements that are otherwise by now, the highest of each part, or what it stood in a line of. */
  takeChanged(): readonly Element[];
}

interface Mark {
  /** Kept, because to ask for one anew is dearer than all that is asked of it. */
  readonly style: CSSStyleDeclaration;
  /** What more there is to look at; undefined for most. */
  readonly state: ((element: Element) => string) | undefined;
  sight: number;
  last: string;
}

export function createMarks(): Marks {
  const marks = new Map<Element, Mark>();
  return {
    clear: () => marks.clear(),
    note: (element) => {
      const style = marks.get(element)?.style ?? getComputedStyle(element);
      const state = stateFor(element);
      marks.set(element, { style, state, sight: sightOf(style), last: state?.(element) ?? "" });
    },
    takeChanged: () => {
      const tops: Element[] = [];
      const changed = new Set<Element | null>();
      for (const [element, mark] of marks) {
        const isBelow = changed.size > 0 && changed.has(parentElementOf(element));
        const sight = sightOf(mark.style);
        const last = mark.state?.(element) ?? "";
        if (!isBelow && sight === mark.sight && last === mark.last) continue;
        changed.add(element);
        // What stands in it is read with it.
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
  if (!(element instanceof HTMLInputElement)) return fieldValue(element) ?? "";
  const { checked, indeterminate, value } = element;
  return `${checked}${indeterminate}${value}`;
}
