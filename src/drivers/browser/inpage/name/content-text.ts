// The text in an element for its name: with generated text, alt texts and field values, without hidden
// parts. Iterative, because pages can be nested deeply.

import { squeeze, words } from "../collect.js";
import { type Look, textIn } from "../look.js";
import { roleOf } from "../roles.js";
import { fieldValue } from "../row/states.js";
import * as dom from "../tree/clobbered.js";
import { type Cursor, nextNode, openCursor } from "../tree/cursor.js";
import type { Styles } from "../tree/styles.js";

const SPACE_FACTOR = 8;
const SKIPPED_TAGS = words("script style noscript template head title desc defs datalist");
const BLOCK_TAGS = words(
  "address article aside blockquote dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul",
);
const VALUE_ROLES = words("textbox searchbox combobox listbox slider spinbutton");
/** Styles of undrawn elements are slow: the browser lays them out from the root. */
const STYLES_OF_HIDDEN: Reading["styles"] = {
  lineOf: (element) => (BLOCK_TAGS.has(dom.tagOf(element)) ? "block" : "inline"),
  generatedText: () => "",
};

export interface ContentOptions {
  readonly maxChars: number;
  readonly withHidden?: boolean;
  readonly nameFor?: (element: Element) => string;
  /** Subtrees are not part of the name of a tree item. */
  readonly withoutGroups?: boolean;
  readonly except?: Element | undefined;
}

interface Reading {
  readonly look: Look;
  readonly options: ContentOptions;
  readonly withHidden: boolean;
  readonly gatherer: Gatherer;
  readonly styles: Pick<Styles, "lineOf" | "generatedText">;
}

interface Open {
  readonly cursor: Cursor;
  readonly element: Element;
  readonly isInline: boolean;
}

export interface ContentText {
  readonly text: string;
  readonly isCut: boolean;
}

export function contentText(look: Look, root: Element, options: ContentOptions): ContentText {
  const isPlain = isOnlyText(root) && !look.styles.generates(root);
  if (isPlain && !look.textAt) return plainText(root, options);
  // The name of a hidden element includes its hidden content.
  const withHidden = options.withHidden || look.styles.sightOf(root) !== "shown";
  const reading: Reading = {
    look,
    options,
    withHidden,
    gatherer: createGatherer(options.maxChars),
    styles: withHidden ? STYLES_OF_HIDDEN : look.styles,
  };
  const { gatherer } = reading;
  const levels = [open(root, reading)];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const node = gatherer.isFull() || look.nameWork <= 0 ? null : nextNode(level.cursor);
    if (!node) {
      close(level, reading);
      levels.pop();
      continue;
    }
    look.nameWork -= 1;
    if (dom.isText(node)) gatherer.add(textIn(look, node));
    else if (dom.isAnElement(node) && isRead(node, reading)) {
      if (dom.tagOf(node) === "br") gatherer.apart();
      else if (!addWhole(node, reading)) levels.push(open(node, reading));
    }
  }
  return { text: gatherer.text(), isCut: gatherer.isFull() };
}

function isOnlyText(element: Element): boolean {
  return (
    dom.firstElementOf(element) === null &&
    dom.shadowOf(element) === null &&
    dom.tagOf(element) !== "slot"
  );
}

function plainText(element: Element, { maxChars }: ContentOptions): ContentText {
  const text = squeeze((dom.textOf(element) ?? "").slice(0, maxChars * SPACE_FACTOR));
  const isCut = text.length > maxChars;
  return { text: isCut ? text.slice(0, maxChars) : text, isCut };
}

function open(element: Element, { gatherer, styles }: Reading): Open {
  const isInline = styles.lineOf(element) === "inline";
  if (!isInline) gatherer.apart();
  gatherer.add(styles.generatedText(element, "::before"));
  return { cursor: openCursor(element), element, isInline };
}

function close({ element, isInline }: Open, { gatherer, styles }: Reading): void {
  gatherer.add(styles.generatedText(element, "::after"));
  if (!isInline) gatherer.apart();
}

function isRead(element: Element, { look, options, withHidden }: Reading): boolean {
  if (element === options.except) return false;
  if (SKIPPED_TAGS.has(dom.tagOf(element))) return false;
  if (options.withoutGroups && dom.attributeOf(element, "role") === "group") return false;
  if (options.withHidden) return true;
  if (!withHidden && look.styles.sightOf(element) !== "shown") return false;
  return dom.attributeOf(element, "aria-hidden") !== "true";
}

function addWhole(element: Element, { gatherer, options, styles }: Reading): boolean {
  const said = sayWhole(element, options);
  if (said === undefined) return false;
  const isInline = styles.lineOf(element) === "inline";
  if (!isInline) gatherer.apart();
  gatherer.add(said);
  if (!isInline) gatherer.apart();
  return true;
}

function sayWhole(element: Element, { nameFor }: ContentOptions): string | undefined {
  if (dom.hasAttributesOf(element)) {
    const label = dom.attributeOf(element, "aria-label")?.trim();
    const isReferring = nameFor && dom.hasAttributeOf(element, "aria-labelledby");
    const isField = VALUE_ROLES.has(roleOf(element));
    if (isReferring) return nameFor(element);
    if (isField) return fieldValue(element) ?? "";
    if (label) return label;
  }
  switch (dom.tagOf(element)) {
    case "img":
      return dom.attributeOf(element, "alt") ?? dom.attributeOf(element, "title") ?? "";
    case "svg":
    case "g":
      return svgTitle(element) || undefined;
    case "input":
    case "select":
    case "textarea":
      return sayField(element);
    case "iframe":
    case "progress":
    case "meter":
      return dom.attributeOf(element, "title") ?? "";
    default:
      return undefined;
  }
}

function sayField(element: Element): string {
  if (dom.isInput(element) && ["checkbox", "radio", "hidden"].includes(element.type)) {
    return "";
  }
  return fieldValue(element) ?? "";
}

export function svgTitle(element: Element): string {
  for (const child of dom.childrenOf(element)) {
    if (dom.tagOf(child) === "title") return dom.textOf(child)?.trim() ?? "";
  }
  return "";
}

type Gatherer = ReturnType<typeof createGatherer>;

function createGatherer(maxChars: number) {
  const pieces: string[] = [];
  let length = 0;
  const push = (text: string) => {
    pieces.push(text);
    length += text.length;
  };
  return {
    add: (text: string) => {
      if (text !== "" && length <= maxChars) push(text.slice(0, maxChars + 1));
    },
    apart: () => {
      if (pieces.at(-1) !== " ") push(" ");
    },
    isFull: () => length > maxChars,
    text: () => squeeze(pieces.join("")),
  };
}
