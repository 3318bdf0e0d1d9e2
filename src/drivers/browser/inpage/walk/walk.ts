// Walks visible content in document order and emits rows and texts. Iterative, because pages can be
// nested deeply.

import { squeeze } from "../collect.js";
import { hasSize } from "../hit.js";
import type { Look } from "../look.js";
import type { PageState } from "../page-state.js";
import type { Row } from "../protocol.js";
import { makePlainRow, makeRow } from "../row/make-row.js";
import * as dom from "../tree/clobbered.js";
import { type Cursor, nextNode, openCursor, parentElementOf } from "../tree/cursor.js";
import { toLine } from "../tree/styles.js";
import { judge, type Surroundings, type Verdict } from "./judge.js";

const MAX_TEXT_CHARS = 2_000;
const MAX_VISITED = 1_000_000;
const MAX_OPTIONS = 40;
const SHOWN_OPTIONS = 10;
const MAX_ANCESTORS = 1_000;
const NOTHING_AROUND: Surroundings = {
  element: null,
  isTold: false,
  isAriaHidden: false,
  isPointer: false,
};

export interface Sink {
  row(element: Element, row: Row, name: string): void;
  plain(element: Element, row: Row): void;
  shadow(root: ShadowRoot): void;
  closed(element: Element): void;
  isFull(): boolean;
}

interface WalkOptions {
  readonly look: Look;
  readonly sink: Sink;
  readonly depth: number;
  readonly around: Surroundings;
}

interface Level extends Surroundings {
  readonly element: Element;
  readonly cursor: Cursor;
  readonly depth: number;
  readonly isQuiet: boolean;
  readonly isBlock: boolean;
}

interface Text {
  readonly pieces: string[];
  element: Element | null;
  depth: number;
}

function walk(root: Element, { look, sink, depth, around }: WalkOptions): void {
  const text: Text = { pieces: [], element: null, depth };
  const levels: Level[] = [];
  const addWords = (level: Level, place: "::before" | "::after") => {
    if (!level.isQuiet) addText(text, level, look.styles.wordsAt(level.element, place));
  };
  const enter = (element: Element, at: { depth: number; around: Surroundings }) => {
    const verdict = judge(look, element, at.around);
    if (!verdict) return;
    const level = tell(element, { look, sink, verdict, text, depth: at.depth });
    if (!level) return;
    levels.push(level);
    addWords(level, "::before");
  };
  enter(root, { depth, around });
  let visitsLeft = MAX_VISITED;
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const node = visitsLeft === 0 || sink.isFull() ? null : nextNode(level.cursor);
    if (!node) {
      addWords(level, "::after");
      if (level.isBlock) flush(text, sink);
      levels.pop();
      continue;
    }
    visitsLeft -= 1;
    if (dom.isText(node)) addText(text, level, node.nodeValue ?? "");
    else if (dom.isElement(node)) {
      if (dom.tagOf(node) === "br") text.pieces.push(" ");
      else enter(node, { depth: level.depth, around: level });
    }
  }
}

interface RowSource {
  readonly look: Look;
  readonly sink: Sink;
  readonly verdict: Verdict;
  readonly text: Text;
  readonly depth: number;
}

function tell(element: Element, options: RowSource): Level | undefined {
  const { look, sink, verdict, text, depth } = options;
  const { hasRow, isTold, isAriaHidden, isInvisible, isPointer } = verdict;
  const line = hasRow ? "block" : toLine(verdict.style.display);
  const isBlock = line === "block";
  if (isBlock) flush(text, sink);
  else if (line === "box") text.pieces.push(" ");
  if (hasRow) {
    const row = makeRow(look, element, { verdict, ref: 0, depth });
    sink.row(element, row, verdict.name.text);
  }
  if (dom.tagOf(element) === "select" && dom.isSelect(element)) {
    tellOptions(element, { sink, depth: depth + 1 });
    return undefined;
  }
  if (verdict.isLeaf) return undefined;
  const shadow = dom.shadowOf(element);
  if (shadow) sink.shadow(shadow);
  else if (dom.tagOf(element).includes("-") && isClosed(element)) sink.closed(element);
  return {
    element,
    cursor: openCursor(element),
    depth: hasRow ? depth + 1 : depth,
    isTold,
    isQuiet: isTold || isAriaHidden || isInvisible || isFolded(element),
    isAriaHidden,
    isPointer,
    isBlock,
  };
}

function isFolded(element: Element): boolean {
  return dom.tagOf(element) === "details" && !dom.hasAttributeOf(element, "open");
}

function tellOptions(
  select: HTMLSelectElement,
  { sink, depth }: { sink: Sink; depth: number },
): void {
  const { length } = select.options;
  const isFolded = length > MAX_OPTIONS;
  for (let index = 0; index < length && !sink.isFull(); index += 1) {
    const option = select.options[index];
    if (!option) return;
    // The beginning is enough: every option can be selected by name.
    if (isFolded && index >= SHOWN_OPTIONS && !option.selected) continue;
    const states = [option.disabled ? "disabled" : "", option.selected ? "selected" : ""];
    const name = squeeze(option.label);
    sink.plain(
      select,
      makePlainRow({ depth, role: "option", name, states: states.filter(Boolean).join(" ") }),
    );
  }
  if (!isFolded || sink.isFull()) return;
  const name = `${length} options in all; choose any by its text`;
  sink.plain(select, makePlainRow({ depth, role: "text", name, states: "" }));
}

function isClosed(element: Element): boolean {
  return (
    dom.firstChildOf(element) === null &&
    dom.isMatch(element, ":defined") &&
    hasSize(dom.boxOf(element))
  );
}

function addText(text: Text, level: Level, value: string): void {
  if (level.isQuiet) return;
  if (text.element === null) {
    if (value.trim() === "") return;
    text.element = level.element;
    text.depth = level.depth;
  }
  text.pieces.push(value);
}

function flush(text: Text, sink: Sink): void {
  const { element, pieces, depth } = text;
  if (element && !sink.isFull()) {
    const all = squeeze(pieces.join(""));
    const name = all.length > MAX_TEXT_CHARS ? `${all.slice(0, MAX_TEXT_CHARS)}…` : all;
    if (name) sink.plain(element, makePlainRow({ depth, role: "text", name, states: "" }));
  }
  text.element = null;
  pieces.length = 0;
}

export interface WalkedRoots {
  readonly roots: readonly Element[] | undefined;
  /** The roots get rows at depth 0 in any case; known rows stay as they are. */
  readonly isAskedFor: boolean;
}

export function walkRoot(
  root: Element,
  at: { state: PageState; look: Look; sink: Sink; options: WalkedRoots },
): void {
  const { state, look, sink, options } = at;
  const { isAskedFor } = options;
  const parent = parentElementOf(root);
  if (!options.roots || !parent) {
    walk(root, { look, sink, depth: 0, around: { ...NOTHING_AROUND, isAskedFor } });
    return;
  }
  if (!isRendered(root) || (look.hasModal() && dom.closestOf(parent, "[inert]"))) return;
  const around: Surroundings = {
    element: parent,
    isTold: false,
    isAriaHidden: dom.closestOf(parent, "[aria-hidden=true]") !== null,
    isPointer: look.styles.isPointer(parent),
    isAskedFor,
  };
  walk(root, { look, sink, depth: isAskedFor ? 0 : depthBelow(state, parent), around });
}

function isRendered(root: Element): boolean {
  let at: Element | null = root;
  while (at && !dom.isDrawn(at)) {
    if (getComputedStyle(at).display !== "contents") return false;
    at = parentElementOf(at);
  }
  return true;
}

function depthBelow(state: PageState, parent: Element): number {
  let at: Element | null = parent;
  for (let steps = 0; at && steps < MAX_ANCESTORS; steps += 1) {
    const row = state.known.get(at)?.row;
    if (row) return row[1] + 1;
    at = parentElementOf(at);
  }
  return 0;
}
