// The rows of a view: without wrappers, texts inlined, plain cells in one row, equal rows counted.

import type { ListedElement } from "../../../core/browser.js";
import { isCell, isNamedByContent, isStructure, isWrapper } from "./roles.js";

const MIN_EQUAL_ROWS = 3;
const CELL_BORDER = " | ";
const BELOW = "…";
const SORT = "sort=";
const MAX_DEPTH = 400;

export interface Row {
  readonly element: ListedElement;
  readonly parent: number;
  readonly level: number;
  readonly name: string;
  readonly text: string;
  readonly folded: readonly ListedElement[];
  readonly count: number;
}

/** `plain` drops wrappers, `compact` all unnamed structure; `isParts`: some parents are missing. */
export interface RowOptions {
  readonly keep: "all" | "plain" | "compact";
  readonly isParts?: boolean;
}

interface Draft {
  readonly element: ListedElement;
  readonly parent: Draft | undefined;
  readonly children: Draft[];
  name: string;
  text: string;
  folded: ListedElement[];
  count: number;
}

export function toRows(elements: readonly ListedElement[], options: RowOptions): readonly Row[] {
  const roots = toTree(elements, options);
  if (options.keep === "all") return flatten(roots.map(withoutRepeats));
  return flatten(settle(roots, { keep: options.keep, parent: undefined }));
}

function toTree(elements: readonly ListedElement[], { isParts = false }: RowOptions): Draft[] {
  const roots: Draft[] = [];
  const open: Draft[] = [];
  for (const element of elements) {
    const depth = Math.min(element.depth, MAX_DEPTH);
    while (open.length > 0 && Math.min(open.at(-1)?.element.depth ?? 0, MAX_DEPTH) >= depth) {
      open.pop();
    }
    const above = open.at(-1);
    const isChild = above !== undefined && (!isParts || mayHold(above.element, element));
    const parent = isChild ? above : undefined;
    const draft = toDraft(element, parent);
    (parent?.children ?? roots).push(draft);
    open.push(draft);
  }
  return roots;
}

/** In partial lists, only the next level up is a parent. */
function mayHold(above: ListedElement, element: ListedElement): boolean {
  return above.role !== "text" && above.depth === element.depth - 1;
}

function toDraft(element: ListedElement, parent: Draft | undefined): Draft {
  const isText = element.role === "text";
  const name = isText ? "" : element.name;
  const text = isText ? element.name : (element.value ?? "");
  // One plain object each: pages have thousands.
  return { element, parent, children: [], folded: [], count: 1, name, text };
}

function withoutRepeats(draft: Draft): Draft {
  const pending = [draft];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { element, children } = next;
    const isBox = isWrapper(element.role) && !element.isInteractive;
    if (isBox && children.length > 0) next.name = "";
    pending.push(...children);
  }
  return draft;
}

interface Settling {
  readonly keep: "plain" | "compact";
  readonly parent: Draft | undefined;
}

function settle(drafts: readonly Draft[], { keep, parent }: Settling): Draft[] {
  const shown: Draft[] = [];
  for (const draft of drafts) {
    if (isRepeated(draft, parent)) continue;
    const isLeftOut = isEmptyShell(draft, keep);
    const below =
      draft.children.length === 0
        ? draft.children
        : settle(draft.children, { keep, parent: isLeftOut ? parent : draft });
    if (isLeftOut) {
      shown.push(...below);
      continue;
    }
    shown.push(draft);
    if (draft.children.length === 0 && !isNamedByContent(draft.element.role)) continue;
    draft.children.length = 0;
    draft.children.push(...below);
    inlineText(draft);
    inlineCells(draft);
    dropRepeatedName(draft);
  }
  return joinEqual(shown);
}

function isRepeated({ element, text, children }: Draft, parent: Draft | undefined): boolean {
  const isText = element.role === "text" && children.length === 0;
  return isText && parent !== undefined && isPartOf(text, parent.name);
}

function isPartOf(text: string, name: string): boolean {
  if (text !== "" && name.includes(text)) return true;
  const wanted = squeeze(text);
  return wanted === "" || (name !== "" && squeeze(name).includes(wanted));
}

function isEmptyShell({ element, children }: Draft, keep: "plain" | "compact"): boolean {
  const { role, name, isInteractive, states, value } = element;
  if (name !== "" || isInteractive || value !== undefined) return false;
  if (isWrapper(role)) return true;
  const says = states.some((state) => !state.startsWith("cursor="));
  return keep === "compact" && isStructure(role) && !says && !(role === "row" && children.length);
}

function inlineText(draft: Draft): void {
  const only = draft.children[0];
  if (draft.children.length !== 1 || only?.element.role !== "text") return;
  if (only.children.length > 0) return;
  if (draft.text !== "") return;
  draft.text = only.text;
  draft.folded.push(only.element, ...only.folded);
  draft.children.length = 0;
}

function inlineCells(draft: Draft): void {
  const { element, children } = draft;
  if (element.role !== "row" || children.length === 0 || !children.every(isOpenCell)) return;
  if (squeeze(children.map(wordsOf).join("")) === squeeze(draft.name)) draft.name = "";
  const texts = children.map((cell) => (isPlainCell(cell) ? sayCell(cell) : BELOW));
  while (texts.at(-1) === BELOW) texts.pop();
  draft.text = texts.join(CELL_BORDER);
  draft.folded.push(...children.flatMap((cell) => [cell.element, ...cell.folded]));
  children.splice(0, children.length, ...children.flatMap((cell) => cell.children));
}

function isOpenCell(cell: Draft): boolean {
  const { element, children, name, text } = cell;
  if (isPlainCell(cell)) return true;
  const isFrame = isCell(element.role) && !element.isInteractive && element.states.length === 0;
  return isFrame && children.length > 0 && name === "" && text === "";
}

function isPlainCell({ element, children }: Draft): boolean {
  const { role, isInteractive, states } = element;
  const isPlain = states.every((state) => state.startsWith(SORT));
  return isCell(role) && !isInteractive && children.length === 0 && isPlain;
}

function sayCell({ element, name, text }: Draft): string {
  const [sort] = element.states;
  return `${name || text}${sort === undefined ? "" : ` (${sort.slice(SORT.length)})`}`;
}

function dropRepeatedName(draft: Draft): void {
  const { element, children } = draft;
  if (element.isInteractive || !isNamedByContent(element.role)) return;
  const below = children.length === 0 ? draft.text : children.map(wordsOf).join("");
  if (below !== "" && squeeze(below) === squeeze(draft.name)) draft.name = "";
}

function wordsOf({ name, text, children }: Draft): string {
  return name === "" && text === "" ? children.map(wordsOf).join("") : name || text;
}

function squeeze(text: string): string {
  return text.replace(/[\s|]+/g, "");
}

function joinEqual(drafts: readonly Draft[]): Draft[] {
  const joined: Draft[] = [];
  for (let start = 0; start < drafts.length; ) {
    const first = drafts[start];
    if (first === undefined) break;
    let end = start + 1;
    while (isEqual(first, drafts[end])) end++;
    const run = drafts.slice(start, end);
    if (run.length < MIN_EQUAL_ROWS) joined.push(...run);
    else joined.push(asOne(first, run.slice(1)));
    start = end;
  }
  return joined;
}

function isEqual(one: Draft, other: Draft | undefined): boolean {
  if (other === undefined || one.element.isInteractive || other.element.isInteractive) return false;
  const isLeaf = one.children.length === 0 && other.children.length === 0;
  return isLeaf && keyOf(one) === keyOf(other);
}

function keyOf({ element, name, text }: Draft): string {
  return JSON.stringify([element.role, name, text, element.states, element.isNew]);
}

function asOne(first: Draft, others: readonly Draft[]): Draft {
  first.folded.push(...others.flatMap(({ element, folded }) => [element, ...folded]));
  first.count = others.length + 1;
  return first;
}

function flatten(roots: readonly Draft[]): Row[] {
  const rows: Row[] = [];
  const pending = roots.map((draft) => ({ draft, parent: -1, level: 0 })).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { draft, parent, level } = next;
    const { element, name, text, folded, count, children } = draft;
    const position = rows.push({ element, parent, level, name, text, folded, count }) - 1;
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child) pending.push({ draft: child, parent: position, level: level + 1 });
    }
  }
  return rows;
}
