// What of an element changes without a record: whether styles show it, what is in a field, whether it
// has a shadow root. Compared with what it was when it was read, so that nothing far from a change is missed.
// Whether they are shown is asked of all elements only where styles may have done that to any.

import { words } from "../collect.js";
import { fieldValue } from "../row/states.js";
import { isConnected, isInput, shadowOf, tagOf } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { readShowing } from "../tree/showing.js";

const FIELD_TAGS = words("input select textarea");
/** Of what has none yet, these may get a shadow root, and tags with a hyphen. */
const HOST_TAGS =
  /-|^(?:article|aside|blockquote|body|div|footer|h\d|header|main|nav|p|section|span)$/u;
const IN_LINE = 3;
/** To read a rule is as dear as to look at two elements; so few cost nothing. */
const MIN_RULES = 1_000;
/** With this many times as many as when all were read, most of them are gone. */
const MAX_GROWTH = 2;
const NO_MARKS: ReadonlyMap<Element, Mark> = new Map();

export interface Marks {
  clear(): void;
  note(element: Element): CSSStyleDeclaration;
  wasInLine(element: Element): boolean;
  /** Elements that are otherwise by now, the highest of each part, or what it stood in a line of. */
  takeChanged(): readonly Element[];
}

interface Mark {
  /** Kept, because to ask for one again is dearer than all that is asked of it. */
  readonly style: CSSStyleDeclaration;
  /** What more there is to look at; undefined for most. */
  readonly state: ((element: Element) => string) | undefined;
  sight: number;
  last: string;
}

export function createMarks(): Marks {
  let marks = new Map<Element, Mark>();
  let before = NO_MARKS;
  const stated = new Set<Element>();
  let moving: readonly Element[] = [];
  let rules: string | undefined;
  let hasShadows = false;
  let mostMarks = 0;
  /** Those that may be shown or hidden by now; undefined: any. */
  const findDoubtful = (): ReadonlySet<Element> | undefined => {
    const showing = readShowing(Math.max(MIN_RULES, marks.size / 2));
    const moved = moving;
    moving = readMoving();
    const isOther = rules !== showing.rules;
    rules = showing.rules;
    mostMarks ||= marks.size * MAX_GROWTH;
    if (isOther || hasShadows || !showing.elements || marks.size > mostMarks) return undefined;
    return new Set([...showing.elements, ...moved, ...moving]);
  };
  return {
    clear: () => {
      findDoubtful();
      before = marks;
      marks = new Map();
      stated.clear();
      hasShadows = false;
      mostMarks = 0;
    },
    note: (element) => {
      const mark = marks.get(element) ?? before.get(element) ?? createMark(element);
      const { style, state } = mark;
      mark.sight = sightOf(style);
      mark.last = state?.(element) ?? "";
      if (state) stated.add(element);
      hasShadows ||= state === hasShadow && mark.last !== "";
      marks.set(element, mark);
      return style;
    },
    wasInLine: (element) => marks.get(element)?.sight === IN_LINE,
    takeChanged: () => {
      before = NO_MARKS;
      const tops: Element[] = [];
      const changed = new Set<Element | null>();
      const doubtful = findDoubtful();
      for (const element of doubtful ? new Set([...doubtful, ...stated]) : marks.keys()) {
        const mark = marks.get(element);
        if (!mark) continue;
        const isBelow = changed.size > 0 && changed.has(parentElementOf(element));
        const isSame = doubtful?.has(element) === false;
        const sight = isSame ? mark.sight : sightOf(mark.style);
        const last = mark.state?.(element) ?? "";
        if (!isBelow && sight === mark.sight && last === mark.last) continue;
        changed.add(element);
        // What is in it is read with it.
        if (isBelow || !isConnected(element)) {
          marks.delete(element);
          stated.delete(element);
        } else
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

function readMoving(): readonly Element[] {
  return Document.prototype.getAnimations.call(document).flatMap(({ effect }) => {
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    return target ? [target] : [];
  });
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
