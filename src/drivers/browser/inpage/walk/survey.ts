// Reads the document or parts of it, and compares with the last report.

import { addTo } from "../collect.js";
import { bindRows, type RowOf } from "../duplicates/bind-rows.js";
import { createItemLook } from "../duplicates/binding.js";
import type { Look } from "../look.js";
import type { Known, PageState } from "../page-state.js";
import { MAX_ELEMENTS, ROW_FLAGS, type Row } from "../protocol.js";
import { APART_ROLES, HEADED_ROLES } from "../roles.js";
import { withPart, withRef } from "../row/make-row.js";
import { isConnected, page, tagOf } from "../tree/clobbered.js";
import { eachNode } from "../tree/cursor.js";
import { createMarks } from "./marks.js";
import { type Sink, type WalkedRoots, walkRoot } from "./walk.js";

const MAX_CLOSED_ROOTS = 10;
const FOCUSED = /(?:^| )focused\b/u;
const NO_REF = -1;

interface SurveyOptions extends WalkedRoots {
  readonly isListing: boolean;
  readonly withBoxes?: boolean | undefined;
  /** Only part of it is shown, so nothing is marked as listed. */
  readonly isGlance?: boolean | undefined;
}

interface Draft {
  readonly rows: Row[];
  readonly added: Row[];
  readonly removed: Row[];
  readonly changed: [from: number, now: Row][];
  readonly closedRoots: Set<string>;
  readonly found: FoundRow[];
  readonly plain: Map<Element, Row[]>;
  count: number;
}

interface FoundRow extends RowOf {
  readonly name?: string;
}

export function survey(state: PageState, options: SurveyOptions) {
  const startedAt = performance.now();
  state.surveys += 1;
  if (!options.roots) state.marks.clear();
  const draft: Draft = {
    rows: [],
    added: [],
    removed: [],
    changed: [],
    closedRoots: new Set(),
    found: [],
    plain: new Map(),
    count: 0,
  };
  const { isAskedFor } = options;
  const look = isAskedFor ? { ...state.look(), marks: createMarks() } : state.look();
  const sink = createSink(state, draft);
  // A document opened for writing has no root yet.
  const whole: Element | null = page.root();
  const roots = options.roots ?? (whole ? [whole] : []);
  for (const root of roots) walkRoot(root, { state, look, sink, options });
  settleRows(state, { draft, options, look });
  const isCut = draft.count > MAX_ELEMENTS;
  if (!isAskedFor) {
    settlePlain(state, draft);
    settleUnseen(state, { draft, roots: options.roots, isCut });
  }
  if (!options.roots) {
    state.wholeAt = options.isListing && !options.isGlance ? state.surveys : state.wholeAt;
    state.wholeMs = performance.now() - startedAt;
  }
  const boxes = options.withBoxes && addBoxes(draft.rows, { state, look, options, roots });
  return { ...draft, isCut, closedRoots: [...draft.closedRoots], ...boxes };
}

function createSink(state: PageState, draft: Draft): Sink {
  const keep = (found: FoundRow) => {
    draft.count += 1;
    draft.found.push(found);
  };
  return {
    row: (element, row, name) => keep({ element, row, name }),
    plain: (element, row) => keep({ element, row }),
    shadow: (root) => {
      state.mutations.observe(root);
      state.quiet.observe(root);
    },
    closed: (element) => {
      if (draft.closedRoots.size < MAX_CLOSED_ROOTS) draft.closedRoots.add(tagOf(element));
    },
    isFull: () => draft.count > MAX_ELEMENTS,
  };
}

/** Their context distinguishes duplicates, so everything is read first. */
function settleRows(
  state: PageState,
  { draft, options, look }: { draft: Draft; options: SurveyOptions; look: Look },
): void {
  const { book, known, surveys, wholeAt } = state;
  const items = createItemLook(look, book);
  const others = options.roots && known;
  const rows = draft.found.filter(({ name }) => name !== undefined);
  const bindings = bindRows({ items, book, rows, others });
  const headings = createHeadings(options.roots ? undefined : null);
  draft.found.forEach(({ element, row, name }, index) => {
    const isKept = options.isListing && index < MAX_ELEMENTS;
    if (name === undefined) {
      if (isKept) draft.rows.push(row);
      if (!options.isAskedFor)
        notePlain(draft, { element, row, before: known.get(element)?.plain });
      return;
    }
    const heading = headings.pass(element, row);
    const now = { role: row[2], name, binding: bindings.get(element), heading };
    const record = book.assign(items, element, now);
    record.firstAt ||= surveys;
    record.lastAt = surveys;
    const numbered = withRef(row, record.ref);
    const isNew = wholeAt > 0 && record.listedAt < wholeAt;
    if (options.isListing && !options.isGlance) record.listedAt = surveys;
    if (isKept)
      draft.rows.push(isNew ? withPart(numbered, 7, numbered[7] | ROW_FLAGS.isNew) : numbered);
    if (!options.isAskedFor) noteRow({ draft, known, surveys }, element, numbered);
  });
}

function notePlain(
  draft: Draft,
  { element, row, before }: RowOf & { readonly before: readonly Row[] | undefined },
): void {
  addTo(draft.plain, element, row);
  if (!isAmong(row, before)) draft.added.push(row);
}

function noteRow(
  at: { draft: Draft; known: Map<Element, Known>; surveys: number },
  element: Element,
  row: Row,
): void {
  const { draft, known, surveys } = at;
  const before = known.get(element);
  if (!before) {
    draft.added.push(row);
    known.set(element, { row, plain: [], seenAt: surveys });
    return;
  }
  if (!before.row) draft.added.push(row);
  else if (before.row[0] !== row[0]) draft.changed.push([before.row[0], row]);
  else if (!isEqual(before.row, row)) draft.changed.push([row[0], row]);
  before.row = row;
  before.seenAt = surveys;
}

function isEqual(before: Row, now: Row): boolean {
  const isSameState = before[4] === now[4] || unfocused(before[4]) === unfocused(now[4]);
  return isSameState && before[3] === now[3] && before[5] === now[5] && before[6] === now[6];
}

function unfocused(states: string): string {
  return states.replace(FOCUSED, "").trim();
}

function settlePlain({ known, surveys }: PageState, draft: Draft): void {
  for (const [element, rows] of draft.plain) {
    const before = known.get(element);
    if (!before) {
      known.set(element, { row: null, plain: rows, seenAt: surveys });
      continue;
    }
    draft.removed.push(...before.plain.filter((row) => !isAmong(row, rows)));
    before.plain = rows;
    if (before.seenAt === surveys) continue;
    if (before.row) draft.removed.push(before.row);
    before.row = null;
    before.seenAt = surveys;
  }
}

function isAmong([, , role, name]: Row, rows: readonly Row[] | undefined): boolean {
  return rows?.some((other) => other[3] === name && other[2] === role) ?? false;
}

function settleUnseen(
  { known, surveys }: PageState,
  at: { draft: Draft; roots: readonly Element[] | undefined; isCut: boolean },
): void {
  const { draft, roots, isCut } = at;
  const below = roots && elementsBelow(roots);
  known.forEach((entry, element) => {
    const isSeen = entry.seenAt === surveys;
    if (isSeen && (entry.plain.length === 0 || draft.plain.has(element))) return;
    const isRead = !isCut && (!below || below.has(element));
    if (isConnected(element) && !isRead) return;
    if (!isSeen && entry.row) draft.removed.push(entry.row);
    draft.removed.push(...entry.plain);
    entry.plain = [];
    if (!isSeen) known.delete(element);
  });
}

function elementsBelow(roots: readonly Element[]): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (const root of roots) {
    eachNode(root, (node) => {
      found.add(node);
      return true;
    });
  }
  return found;
}

type Before = Element | null | undefined;

/** undefined: the heading before is unknown. */
function createHeadings(first: null | undefined) {
  let heading: Before = first;
  const open: { readonly depth: number; readonly heading: Before }[] = [];
  return {
    pass: (element: Element, [, depth, role]: Row) => {
      for (let last = open.at(-1); last && depth <= last.depth; last = open.at(-1)) {
        heading = last.heading;
        open.pop();
      }
      const before = heading;
      if (HEADED_ROLES.has(role)) open.push({ depth, heading });
      if (APART_ROLES.has(role)) heading = null;
      if (role === "heading") heading = element;
      return before;
    },
  };
}

interface BoxesOptions {
  readonly state: PageState;
  readonly look: Look;
  readonly options: WalkedRoots;
  readonly roots: readonly Element[];
}

function addBoxes(
  listed: readonly Row[],
  { state, look, options, roots }: BoxesOptions,
): { readonly rows: readonly Row[]; readonly isCut: boolean } {
  const { book, known } = state;
  const items = createItemLook(look, book);
  const byRef = new Map(listed.map((row) => [row[0], row]));
  const rows: Row[] = [];
  const nothing = () => undefined;
  const sink: Sink = {
    row: (element, row, name) => {
      const before = byRef.get(known.get(element)?.row?.[0] ?? NO_REF);
      const numbered =
        before ?? withRef(row, book.assign(items, element, { role: row[2], name }).ref);
      rows.push(withPart(numbered, 1, row[1]));
    },
    plain: (_, row) => rows.push(row),
    shadow: nothing,
    closed: nothing,
    isFull: () => rows.length > MAX_ELEMENTS,
  };
  const at = { state, look: { ...look, withBoxes: true }, sink, options };
  for (const root of roots) walkRoot(root, at);
  return { rows: rows.slice(0, MAX_ELEMENTS), isCut: rows.length > MAX_ELEMENTS };
}
