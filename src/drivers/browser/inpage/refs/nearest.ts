// The best replacements for a ref that is gone.

import { squeeze } from "../collect.js";
import { bindRows, type RowOf, readRow, rowNow } from "../duplicates/bind-rows.js";
import { createItemLook } from "../duplicates/binding.js";
import type { Look } from "../look.js";
import { nameOf } from "../name/name-of.js";
import type { PageState } from "../page-state.js";
import { type Near, ROW_FLAGS, type Row } from "../protocol.js";
import { roleOf } from "../roles.js";
import { isConnected, isDrawn, isElement, isMatch, page } from "../tree/clobbered.js";
import { eachNode, parentElementOf } from "../tree/cursor.js";
import { isStill } from "./is-still.js";
import { ACTED_ON, DRAWN } from "./namesakes.js";
import type { RefRecord } from "./ref-book.js";

const MAX_NEAR = 5;
const MAX_UNLISTED = 300;
const SCORES = { sameName: 100, partOfName: 60, words: 50, sameRole: 40, interactive: 10 } as const;
const MAX_EQUAL = 500;
const MAX_CHARS = 80;
const MAX_NODES = 300;
const ITEM = "li,tr,article,[role=row],[role=listitem],[role=article]";
const LEFT_OUT = "a[href],button,input,select,textarea,[role=button],script,style,template";

interface Sought {
  readonly ref: number;
  readonly role: string;
  readonly name: string;
  readonly element?: Element;
}

export function nearest(state: PageState, sought: Sought) {
  const look = state.look();
  const { element } = sought;
  const isThere = element && isConnected(element);
  const record = isThere ? undefined : state.book.recordOf(sought.ref);
  const { same, equal } = record ? findRebound(state, look, record) : { same: [], equal: [] };
  const now = isThere ? element : same.length === 1 ? same[0] : undefined;
  const isListed = (each: Element) => !!state.known.get(each)?.row;
  const unlisted = equal.filter((each) => !isListed(each)).slice(0, MAX_NEAR);
  const more = unlisted.map((each) => ({ element: each, row: rowNow(state, look, each) }));
  const near = [...same, ...findNear(state, sought, more)].filter((each) => each !== now);
  return {
    ...(now && { now: toNear(state, look, now) }),
    near: [...new Set(near)].slice(0, MAX_NEAR).map((each) => toNear(state, look, each)),
  };
}

function toNear(state: PageState, look: Look, element: Element): Near {
  const row = rowNow(state, look, element);
  const place = placeWords(state, look, element);
  return { row, ...(place && { place }) };
}

/** Of what is listed, else of the beginning of the page. */
function findNear(state: PageState, sought: Sought, more: readonly RowOf[]): readonly Element[] {
  const wanted = sought.name.toLowerCase();
  const words = new Set(wanted.split(" ").filter(Boolean));
  const listed = [...state.known].flatMap(([element, { row }]) =>
    row && element !== sought.element && isConnected(element) ? { element, row } : [],
  );
  const rows = listed.length > 0 ? [...listed, ...more] : readBeginning(state);
  return rows
    .filter(({ element }) => element !== sought.element)
    .map(({ element, row }) => ({ element, score: scoreOf(row, { sought, wanted, words }) }))
    .sort((left, right) => right.score - left.score)
    .slice(0, MAX_NEAR)
    .map(({ element }) => element);
}

function readBeginning(state: PageState): readonly RowOf[] {
  const look = state.look();
  const elements = [...page.findAll(ACTED_ON)].slice(0, MAX_UNLISTED);
  return elements.map((element) => ({ element, row: rowNow(state, look, element) }));
}

function scoreOf(
  [ref, , role, text, , , , flags]: Row,
  at: { readonly sought: Sought; readonly wanted: string; readonly words: ReadonlySet<string> },
): number {
  const name = text.toLowerCase();
  let score = flags & ROW_FLAGS.interactive ? SCORES.interactive : 0;
  if (role === at.sought.role) score += SCORES.sameRole;
  if (at.wanted !== "" && name !== "") {
    if (name === at.wanted) score += SCORES.sameName;
    else if (name.includes(at.wanted) || at.wanted.includes(name)) score += SCORES.partOfName;
    else score += wordScore(name, at.words);
  }
  return score + 1 / (1 + Math.abs(ref - at.sought.ref));
}

function wordScore(name: string, words: ReadonlySet<string>): number {
  const parts = name.split(" ").filter(Boolean);
  const same = parts.filter((part) => words.has(part)).length;
  return (SCORES.words * same) / Math.max(parts.length, words.size, 1);
}

function findRebound(state: PageState, look: Look, record: RefRecord) {
  const { book, known } = state;
  const equal = findEqual(look, record);
  const items = createItemLook(look, book);
  const before = record.binding;
  if (!before) {
    const now = { role: record.role, name: record.name };
    return { same: equal.filter((each) => isStill(items, each, { known: record, now })), equal };
  }
  const rows = equal.map((element) => ({ element, row: readRow(state, look, element).row }));
  const bindings = bindRows({ items, book, rows, others: known });
  const words = equal.filter((each) => bindings.get(each)?.base === before.base);
  const whole = words.filter((each) => bindings.get(each)?.full === before.full);
  return { same: whole.length > 0 ? whole : words, equal };
}

function findEqual(look: Look, { role, name }: RefRecord): readonly Element[] {
  // A copy, so that the work limit for names is not used up.
  const apart = { ...look };
  return [...page.findAll(ACTED_ON)]
    .filter((each) => roleOf(each) === role && nameOf(apart, each, role).text === name)
    .filter((each) => isDrawn(each, DRAWN))
    .slice(0, MAX_EQUAL);
}

function placeWords({ book }: PageState, look: Look, element: Element): string {
  const record = book.recordFor(element);
  const items = createItemLook(look, book);
  const span = record?.binding && book.spanOf(items, record);
  const item = span ? span.item : itemAround(element);
  if (!item) return "";
  const own = squeeze((span ? span.nodes : [item]).map(textsIn).join(" "));
  const text = own || squeeze(items.contents.textOf(item));
  if (text === "" || text === record?.name) return "";
  const role = item === element ? "generic" : roleOf(item);
  const quoted = `"${text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text}"`;
  return role === "generic" ? quoted : `${role} ${quoted}`;
}

/** The last of several rows has no siblings any more. */
function itemAround(element: Element): Element | null {
  let at = parentElementOf(element);
  while (at && !isMatch(at, ITEM)) at = parentElementOf(at);
  return at;
}

function textsIn(root: Node): string {
  let text = "";
  let left = MAX_NODES;
  eachNode(root, (node) => {
    left -= 1;
    if (left < 0 || text.length > MAX_CHARS * 2) return undefined;
    if (isElement(node)) return !isMatch(node, LEFT_OUT);
    text += `${node.nodeValue ?? ""} `;
    return false;
  });
  return text;
}
