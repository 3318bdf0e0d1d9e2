// All that tells a row, a card, an item from another one, as a number: its texts, also hidden ones, the
// texts for pictures, labels, the values of fields. Read in full, because what differs may come last.

import type { Look } from "../look.js";
import { squeeze } from "../name/text-gatherer.js";
import { attributeOf, hasAttributesOf, nodeTypeOf, tagOf } from "../tree/clobbered.js";
import { eachNode, isCounter } from "./each-node.js";
import { isNumberField, type TypedValues } from "./typed-values.js";

const SKIPPED = new Set("script style template noscript head".split(" "));
const LABELS: readonly string[] = ["aria-label", "alt"];
/** They tell apart what has no texts. */
const MARKS: readonly string[] = ["href", "src", "title", "id", "name", "value", "placeholder"];
const MARKING_DATA = /^data-(?:.*-)?(?:id|key|uuid|name)$/u;
const DIGIT = /\d/u;
/** Times of the day, and how long ago. */
const TIMES =
  /\d{1,2}:\d{2}(?::\d{2})?|\d+(?=\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)\b)/giu;
const WORD = 2 ** 32;
const HIGH_SPARE_BITS = 11;
/** Of this world alone: no page can make texts with equal sums. */
const [FIRST, SECOND, THIRD] = [makeOdd(), makeOdd(), makeOdd()];

export interface Content {
  readonly full: number;
  /** Without numbers that go on by themselves. */
  readonly mild: number;
  readonly isEmpty: boolean;
}

const EMPTY: Content = { full: 0, mild: 0, isEmpty: true };

export interface Contents {
  readonly look: Look;
  /** Each node is read once for a question. */
  of(node: Node): Content;
  /** Of an item without what stands in a part of it. */
  around(part: Element, item: Element): Content;
  /** Addresses, ids and the like in it. */
  marksOf(element: Element): number;
  /** The texts themselves; without what stands in a part of it. */
  textOf(node: Node, part?: Element): string;
}

export function createContents(look: Look, typed: TypedValues): Contents {
  const known = new Map<Node, Content>();
  const of = (node: Node): Content => {
    let content = known.get(node);
    if (!content) {
      content = readContent(node, { look, typed });
      known.set(node, content);
    }
    return content;
  };
  const around = (part: Element, item: Element) => readContent(item, { look, typed, part });
  const textOf = (node: Node, part?: Element) =>
    readTexts(node, { look, typed, ...(part && { part }) }).full;
  return { look, of, around, marksOf, textOf };
}

/** Order counts. */
export function join(contents: readonly Content[]): Content {
  const [first] = contents;
  if (first && contents.length === 1) return first;
  const told = contents.filter(({ isEmpty }) => !isEmpty);
  if (told.length === 0) return EMPTY;
  return told.reduce((all, { full, mild }) => ({
    full: mix(all.full, full),
    mild: mix(all.mild, mild),
    isEmpty: false,
  }));
}

/** The same with a mark beside it. */
export function withMark({ full, mild }: Content, mark: number): Content {
  return { full: mix(full, mark), mild: mix(mild, mark), isEmpty: false };
}

interface Reading {
  /** Left out. */
  readonly part?: Element;
  readonly look: Look;
  readonly typed: TypedValues;
}

interface Texts {
  full: string;
  /** undefined: the same. */
  mild: string | undefined;
}

function readContent(root: Node, reading: Reading): Content {
  const texts = readTexts(root, reading);
  const text = squeeze(texts.full);
  if (text === "") return EMPTY;
  const full = sumOf(text);
  const mild = texts.mild === undefined ? full : sumOf(squeeze(texts.mild));
  return { full, mild, isEmpty: false };
}

function readTexts(root: Node, reading: Reading): Texts {
  const texts: Texts = { full: "", mild: undefined };
  eachNode(root, (node) => {
    if (nodeTypeOf(node) !== Node.ELEMENT_NODE) {
      addText(texts, node);
      return false;
    }
    // Told by its type: asking for the class is dear.
    const element = node as Element;
    if (element === reading.part || SKIPPED.has(tagOf(element))) return false;
    return addElement(texts, element, reading);
  });
  return texts;
}

function addText(texts: Texts, node: Node): void {
  const text = node.nodeValue ?? "";
  if (!DIGIT.test(text)) add(texts, text);
  else add(texts, text, isCounter(node, text) ? "#" : text.replace(TIMES, "#"));
}

function add(texts: Texts, full: string, mild = full): void {
  if (mild !== full) texts.mild ??= texts.full;
  texts.full += `${full} `;
  if (texts.mild !== undefined) texts.mild += `${mild} `;
}

/** Whether what stands in it counts too. */
function addElement(texts: Texts, element: Element, { look, typed }: Reading): boolean {
  if (hasAttributesOf(element)) {
    for (const name of LABELS) addAttribute(texts, element, name);
    for (const name of look.styles.generatedFrom(element)) addAttribute(texts, element, name);
  }
  const said = typed.said(element);
  if (said === undefined) return true;
  add(texts, said, isNumberField(element) ? "#" : said);
  return false;
}

function addAttribute(texts: Texts, element: Element, name: string): void {
  const value = attributeOf(element, name);
  if (value) add(texts, value);
}

function marksOf(root: Element): number {
  let marks = "";
  eachNode(root, (node) => {
    if (!(node instanceof Element)) return false;
    if (!hasAttributesOf(node)) return true;
    for (const name of Element.prototype.getAttributeNames.call(node)) {
      if (!MARKS.includes(name) && !MARKING_DATA.test(name)) continue;
      marks += `${name}=${attributeOf(node, name)} `;
    }
    return true;
  });
  return sumOf(marks);
}

/** 53 bits: what a number holds exactly. */
function sumOf(text: string): number {
  let low = FIRST;
  let high = SECOND;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = spread(low ^ code, FIRST);
    high = spread(high + code, SECOND);
  }
  return toSum(low, high);
}

function mix(left: number, right: number): number {
  const low = spread(spread(left ^ SECOND, THIRD) ^ right, FIRST);
  const high = spread(
    spread(Math.floor(left / WORD) ^ low, SECOND) ^ Math.floor(right / WORD),
    THIRD,
  );
  return toSum(low, high);
}

function makeOdd(): number {
  return Math.floor(Math.random() * 2 ** 31) * 2 + 1;
}

function spread(value: number, factor: number): number {
  const product = Math.imul(value, factor);
  return product ^ (product >>> 15);
}

function toSum(low: number, high: number): number {
  return (high >>> HIGH_SPARE_BITS) * WORD + (low >>> 0);
}
