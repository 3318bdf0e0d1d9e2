// Whether an item is still the same after an act. Numbers that name a thing (`No. 7`, `INV-1001`)
// never change by themselves.
import { HEADINGS } from "../roles.js";
import { elementAfter, elementBefore, findIn, tagOf } from "../tree/clobbered.js";
import type { Contents } from "./content.js";

const TOKEN = /\p{L}[\p{L}\p{M}]*|\p{N}+(?:[.,:]\p{N}+)*/gu;
const WORD = /^\p{L}/u;
const SPACES = /\s+/u;
const TITLES = `${HEADINGS},legend,caption`;
const MAX_LOOKED = 40;
const NAMING =
  /(?:#|\b(?:no|nr|id|number|account|booking|case|invoice|order|request|ticket))[\s.:#-]*\d+|[a-z]-?\d{3,}/gu;

export interface Span {
  readonly item: Element;
  readonly nodes: readonly Node[];
  readonly part?: Element;
  /** Compared like the title. */
  readonly duplicate?: Element;
  readonly others: readonly (readonly Node[])[];
  /** Hash of what is around it, if that counts. */
  readonly depths: number;
}

export interface ItemWords {
  readonly own: ReadonlySet<string>;
  readonly others: readonly ReadonlySet<string>[];
  readonly title: ReadonlySet<string>;
  readonly naming: readonly string[];
  readonly depths: number;
}

export function readItemWords(contents: Contents, span: Span): ItemWords {
  const { item, others, depths } = span;
  const title = others.length === 0 ? findIn(item, TITLES) : null;
  return {
    own: tokensIn(contents, span.nodes, span.part),
    others: others.map((nodes) => tokensIn(contents, nodes)),
    title: title
      ? tokensIn(contents, [title, ...(span.duplicate ? [span.duplicate] : [])])
      : new Set(),
    naming: namingIn(textOfAll(contents, span)),
    depths,
  };
}

/** What distinguishes it from its neighbours is still there. */
export function isSameItem(contents: Contents, before: ItemWords, now: Span): boolean {
  if (before.depths !== now.depths) return false;
  const kept = tokensIn(contents, now.nodes, now.part);
  const isKept = (token: string) => kept.has(token);
  const { others, title, naming } = before;
  const own = [...(others.length === 0 && title.size > 0 ? title : before.own)];
  const words = own.filter(isWord);
  const unique = words.filter((word) => !others.some((other) => other.has(word)));
  if (!unique.every(isKept)) return false;
  if (others.length === 0) {
    const named = namingIn(textOfAll(contents, now));
    const isNamed = naming.every((each) => named.includes(each));
    return isNamed && (words.length > 0 || own.every(isKept));
  }
  return others.every((other) => {
    const apart = own.filter((token) => !other.has(token));
    const wordsApart = apart.filter(isWord);
    return wordsApart.length > 0 ? wordsApart.some(isKept) : apart.every(isKept);
  });
}

/** Words of a neighbouring item moved into it. */
export function isExchanged(contents: Contents, before: ItemWords, span: Span): boolean {
  const now = readItemWords(contents, span);
  const isBeside = ({ others }: ItemWords, word: string) => others.some((each) => each.has(word));
  return [...now.own].some(
    (word) =>
      isWord(word) && !before.own.has(word) && isBeside(before, word) && !isBeside(now, word),
  );
}

/** Visible words were hidden and others shown. */
export function isTurnedOver(before: string, now: string): boolean {
  const isAnyApart = (text: string, other: string) => {
    const others = new Set(other.split(SPACES));
    return text.split(SPACES).some((word) => !others.has(word));
  };
  const isOther = now !== "" && now !== before;
  return isOther && isAnyApart(before, now) && isAnyApart(now, before);
}

export function nearEqual(item: Element, max: number): readonly Element[] {
  const found: Element[] = [];
  let [before, after] = [elementBefore(item), elementAfter(item)];
  for (let looked = 0; looked < MAX_LOOKED && (before || after); looked += 1) {
    for (const each of [before, after]) {
      if (each && tagOf(each) === tagOf(item) && found.length < max) found.push(each);
    }
    before = before && elementBefore(before);
    after = after && elementAfter(after);
  }
  return found;
}

function isWord(token: string): boolean {
  return WORD.test(token);
}

function tokensIn(contents: Contents, nodes: readonly Node[], part?: Element): ReadonlySet<string> {
  return new Set(textOfAll(contents, { nodes, part }).toLowerCase().match(TOKEN));
}

function namingIn(text: string): readonly string[] {
  return text.toLowerCase().match(NAMING) ?? [];
}

export function hasSameNaming(before: string, now: string): boolean {
  return before === now || namingIn(before).join() === namingIn(now).join();
}

interface Read {
  readonly nodes: readonly Node[];
  readonly part?: Element | undefined;
}

export function textOfAll(contents: Contents, { nodes, part }: Read): string {
  return nodes.map((node) => contents.textOf(node, part)).join(" ");
}
