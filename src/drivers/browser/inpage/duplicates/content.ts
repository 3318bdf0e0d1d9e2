// Hashes everything that distinguishes an item: texts (also hidden), labels, values. What we typed
// does not make it another item.

import { remember, squeeze, words } from "../collect.js";
import { type Look, textIn } from "../look.js";
import { HEADINGS, isEditingHost } from "../roles.js";
import * as dom from "../tree/clobbered.js";
import { eachNode } from "../tree/cursor.js";
import { referredBy } from "../tree/find.js";

const SKIPPED = words("script style template noscript head");
const ITEMS = "li,tr,article,dd,[role=listitem],[role=row],[role=article]";
const MAX_HEADINGS = 20;
const REFERENCES: readonly string[] = ["aria-labelledby", "aria-describedby"];
const POPUPS = words("dialog grid listbox menu tooltip tree");
const MAX_REFERRED_CHARS = 4_000;
const LABELS: readonly string[] = ["aria-label", "aria-description", "alt"];
const MARKS: readonly string[] = ["href", "src", "title", "id", "name", "value", "placeholder"];
const MARKING_DATA = /^data-(?:.*-)?(?:id|key|uuid|name)$/u;
const WORD = 2 ** 32;
const HIGH_SPARE_BITS = 11;
const EMPTY: Content = { full: 0, isEmpty: true };
const SILENT_TYPES = words("checkbox file image password radio");

/** Random, so that no page can construct texts with equal hashes. */
const [FIRST, SECOND, THIRD] = [makeOdd(), makeOdd(), makeOdd()];

export interface Content {
  readonly full: number;
  readonly isEmpty: boolean;
}

export type Contents = ReturnType<typeof createContents>;

export function createContents(look: Look, typed: TypedValues) {
  const known = new Map<Node, Content>();
  const read = (node: Node): Content => readContent(node, { look, typed });
  const of = (node: Node): Content => remember(known, node, read);
  /** The item without one part of it. */
  const around = (part: Element, item: Element) => readContent(item, { look, typed, part });
  /** The text itself, without `part`. */
  const textOf = (node: Node, part?: Element) =>
    readText(node, { look, typed, ...(part && { part }) });
  const labelText = (element: Element) => {
    const named = referredBy(element, "aria-labelledby").map((node) => textOf(node));
    return [dom.attributeOf(element, "aria-label") ?? "", ...named].join(" ");
  };
  const labelOf = (element: Element) => toContent(labelText(element));
  const titleOf = (element: Element) => {
    const heading = headingOf(element);
    return toContent(`${labelText(element)} ${heading ? textOf(heading) : ""}`);
  };
  const shownIn = (node: Node) => readText(node, { look, typed, isShown: true });
  return { look, of, around, marksOf, labelOf, said: toContent, titleOf, textOf, shownIn };
}

export function join(contents: readonly Content[]): Content {
  const [first] = contents;
  if (first && contents.length === 1) return first;
  const filled = contents.filter(({ isEmpty }) => !isEmpty);
  if (filled.length === 0) return EMPTY;
  return filled.reduce((all, { full }) => ({ full: mix(all.full, full), isEmpty: false }));
}

export function withMark({ full }: Content, mark: number): Content {
  return { full: mix(full, mark), isEmpty: false };
}

interface Reading {
  readonly part?: Element;
  readonly isReferred?: true;
  readonly isShown?: true;
  readonly look: Look;
  readonly typed: TypedValues;
}

function readContent(root: Node, reading: Reading): Content {
  return toContent(readText(root, reading));
}

function toContent(read: string): Content {
  const text = squeeze(read);
  return text === "" ? EMPTY : { full: sumOf(text), isEmpty: false };
}

function readText(root: Node, reading: Reading): string {
  const { look, typed, part, isReferred, isShown } = reading;
  let text = "";
  const add = (more: string) => {
    text += `${more} `;
  };
  eachNode(root, (node) => {
    if (!dom.isElement(node)) {
      add(textIn(look, node));
      return false;
    }
    if (node === part || SKIPPED.has(dom.tagOf(node))) return false;
    if (isShown && look.styles.sightOf(node) !== "shown") return false;
    if (dom.hasAttributesOf(node)) {
      for (const name of LABELS) add(dom.attributeOf(node, name) ?? "");
      for (const name of look.styles.generatedFrom(node)) add(dom.attributeOf(node, name) ?? "");
      if (!isReferred) for (const target of targetsOf(node)) add(readReferred(target, reading));
    }
    add(look.styles.generatedWords(node));
    const said = typed.said(node);
    if (said === undefined) return true;
    add(said);
    return false;
  });
  return text;
}

/** Elements that describe it elsewhere, except popups. */
function targetsOf(element: Element): readonly Element[] {
  const named = REFERENCES.flatMap((name) => referredBy(element, name));
  return named.filter((target) => !POPUPS.has(dom.attributeOf(target, "role") ?? ""));
}

function readReferred(target: Element, { look, typed }: Reading): string {
  return readText(target, { look, typed, isReferred: true }).slice(0, MAX_REFERRED_CHARS);
}

/** The first heading that is not inside an inner item. */
function headingOf(element: Element): Element | undefined {
  return [...dom.findAllIn(element, HEADINGS)].slice(0, MAX_HEADINGS).find((heading) => {
    const item = dom.closestOf(heading, ITEMS);
    return !item || item === element || !dom.isAround(element, item);
  });
}

function marksOf(root: Element): number {
  let marks = "";
  eachNode(root, (node) => {
    if (!dom.isAnElement(node)) return false;
    if (!dom.hasAttributesOf(node)) return true;
    for (const name of Element.prototype.getAttributeNames.call(node)) {
      if (!MARKS.includes(name) && !MARKING_DATA.test(name)) continue;
      marks += `${name}=${dom.attributeOf(node, name)} `;
    }
    return true;
  });
  return sumOf(marks);
}

/** 53 bits fit exactly into a number. */
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

export type TypedValues = ReturnType<typeof createTypedValues>;

export function createTypedValues() {
  const last = new WeakMap<Element, string>();
  const typed = new WeakMap<Element, { readonly value: string; readonly said: string }>();
  const said = (element: Element): string | undefined => {
    const value = valueIn(element);
    if (value === undefined) return undefined;
    const known = typed.get(element);
    const counted = known?.value === value ? known.said : value;
    last.set(element, counted);
    return counted;
  };
  return {
    said,
    note: (field: Element) => {
      const value = valueIn(field);
      const before = last.get(field);
      if (value !== undefined && before !== undefined) typed.set(field, { value, said: before });
    },
  };
}

function valueIn(element: Element): string | undefined {
  switch (dom.tagOf(element)) {
    case "input":
      return dom.isInput(element) && !SILENT_TYPES.has(element.type) ? element.value : "";
    case "textarea":
      return dom.isTextArea(element) ? element.value : "";
    case "select":
      return dom.isSelect(element)
        ? [...element.selectedOptions].map(({ label }) => label).join(" ")
        : "";
    default:
      return dom.hasAttributesOf(element) &&
        dom.hasAttributeOf(element, "contenteditable") &&
        isEditingHost(element)
        ? (dom.textOf(element) ?? "")
        : undefined;
  }
}
