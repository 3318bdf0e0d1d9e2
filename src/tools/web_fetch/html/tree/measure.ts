// How much text each part of a page has: what can be seen, what is hidden, what is in links.

import { dropUnseen } from "../../charset.js";
import type { Attributes } from "./elements.js";
import { isHidden, readHiddenRules } from "./hidden.js";
import type { Page } from "./scan.js";
import { at, DROPPED, flagsOf, HTML, isBlock, isHeading, TEXT } from "./tags.js";
import { type ClassSense, createClassSense } from "./words.js";

export const IS_CLEAN = 1;
export const HAS_UNSEEN = 2;

export interface Measures {
  readonly page: Page;
  /** Characters of each visible text node, spaces in a row counted once; others have 0. */
  readonly chars: Int32Array;
  readonly textFlags: Int32Array;
  readonly blocks: Int32Array;
  readonly inLink: Int32Array;
  /** 1 for an element whose subtree is not a visible text of the page. */
  readonly dropped: Int32Array;
  readonly ownChars: Int32Array;
  /** Block elements right below it or below inline elements in it. */
  readonly blockChildren: Int32Array;
  readonly visibleChars: number;
  readonly hiddenChars: number;
  readonly senseOf: (node: number) => ClassSense;
}

const NONE: Attributes = {};

export function attributesOf(page: Page, node: number): Attributes {
  return page.attributes[at(page.refs, node)] ?? NONE;
}

export function textOf(page: Page, node: number): string {
  return page.texts[at(page.refs, node)] ?? "";
}

export function measurePage(page: Page, options: { readonly includesHidden: boolean }): Measures {
  const { count, tags, parents, ends } = page;
  const list = () => new Int32Array(count);
  const [chars, textFlags, blocks, inLink] = [list(), list(), list(), list()];
  const [dropped, ownChars, blockChildren] = [list(), list(), list()];
  const rules = readHiddenRules(page.styles);
  const sense = createClassSense();
  let visibleChars = 0;
  let hiddenChars = 0;
  let hiddenUntil = 0;
  for (let node = 1; node < count; node++) {
    const tag = at(tags, node);
    const parent = at(parents, node);
    if (tag === TEXT) {
      const measured = measureText(textOf(page, node));
      if (node < hiddenUntil) {
        hiddenChars += measured.chars;
        continue;
      }
      hiddenChars += measured.unseen;
      const block = at(blocks, parent);
      blocks[node] = block;
      inLink[node] = at(inLink, parent);
      chars[node] = measured.chars;
      textFlags[node] = measured.flags;
      ownChars[block] = at(ownChars, block) + measured.chars;
      visibleChars += measured.chars;
      continue;
    }
    if (node < hiddenUntil) {
      // Scripts inside what is hidden are not hidden text.
      if (isDroppedTag({ page, node, tag })) node = at(ends, node) - 1;
      continue;
    }
    if (isDroppedTag({ page, node, tag })) {
      dropped[node] = 1;
      node = at(ends, node) - 1;
      continue;
    }
    if (
      at(page.refs, node) !== -1 &&
      !options.includesHidden &&
      isHidden(attributesOf(page, node), rules)
    ) {
      dropped[node] = 1;
      hiddenUntil = at(ends, node);
      continue;
    }
    inLink[node] = tag === HTML.a ? 1 : at(inLink, parent);
    const around = at(blocks, parent);
    if (isBlock(tag)) {
      blocks[node] = node;
      blockChildren[around] = at(blockChildren, around) + 1;
    } else {
      blocks[node] = around;
    }
  }
  const senseOf = (node: number) => sense(attributesOf(page, node).className);
  const lists = { chars, textFlags, blocks, inLink, dropped, ownChars, blockChildren };
  return { page, ...lists, visibleChars, hiddenChars, senseOf };
}

/** A heading may be a button that opens what is below it; a bracket around a reading is not a word. */
function isDroppedTag({ page, node, tag }: { page: Page; node: number; tag: number }): boolean {
  if ((flagsOf(tag) & DROPPED) === 0) return false;
  if (tag === HTML.rp) return at(page.ends, node) !== node + 2 || !isBracket(page, node + 1);
  return tag !== HTML.button || !isHeading(at(page.tags, at(page.parents, node)));
}

function isBracket(page: Page, node: number): boolean {
  return at(page.tags, node) === TEXT && BRACKET.test(textOf(page, node));
}

const BRACKET = /^\s{0,4}[\p{Ps}\p{Pe}]\s{0,4}$/u;
const SPACE = 32;
const NO_BREAK_SPACE = 0xa0;
const SOFT_HYPHEN = 0xad;

function measureText(text: string) {
  let chars = 0;
  let mayHide = false;
  let flags = IS_CLEAN;
  let wasSpace = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= SPACE || code === NO_BREAK_SPACE) {
      if (code !== SPACE || (wasSpace && index > 0)) flags &= ~IS_CLEAN;
      if (!wasSpace) chars++;
      wasSpace = true;
      continue;
    }
    wasSpace = false;
    chars++;
    mayHide ||= code >= SOFT_HYPHEN;
  }
  const unseen = mayHide ? dropUnseen(text).hiddenChars : 0;
  if (unseen > 0) flags |= HAS_UNSEEN;
  if (wasSpace && chars > 0) chars--;
  return { chars, unseen, flags };
}

const MIN_PROSE_CHARS = 25;

export interface Sums {
  readonly chars: Int32Array;
  readonly links: Int32Array;
  /** Code, and what is outside of links in blocks with more than a few words. */
  readonly prose: Int32Array;
}

/** `left[node]` of 1 leaves the subtree out, next to what can never be seen. */
export function sumText(measures: Measures, left: Int32Array): Sums {
  const { page, chars: charsOf, blocks, inLink, dropped, ownChars } = measures;
  const { count, tags, ends } = page;
  const list = () => new Int32Array(count + 1);
  const sums = { chars: list(), links: list(), prose: list() };
  let [chars, links, prose] = [0, 0, 0];
  for (let node = 0; node <= count; node++) {
    sums.chars[node] = chars;
    sums.links[node] = links;
    sums.prose[node] = prose;
    if (at(dropped, node) === 1 || at(left, node) === 1) {
      const end = at(ends, node);
      sums.chars.fill(chars, node, end);
      sums.links.fill(links, node, end);
      sums.prose.fill(prose, node, end);
      node = end - 1;
    } else if (at(tags, node) === TEXT) {
      const own = at(charsOf, node);
      const block = at(blocks, node);
      const isCode = at(tags, block) === HTML.pre;
      chars += own;
      if (!isCode && at(inLink, node) === 1) links += own;
      else if (isCode || at(ownChars, block) >= MIN_PROSE_CHARS) prose += own;
    }
  }
  return sums;
}

export function charsIn({ page }: Measures, sums: Sums, node: number): number {
  return at(sums.chars, at(page.ends, node)) - at(sums.chars, node);
}

export function linksIn({ page }: Measures, sums: Sums, node: number): number {
  return at(sums.links, at(page.ends, node)) - at(sums.links, node);
}

export function proseIn({ page }: Measures, sums: Sums, node: number): number {
  return at(sums.prose, at(page.ends, node)) - at(sums.prose, node);
}

export function linkShare(measures: Measures, sums: Sums, node: number): number {
  const chars = charsIn(measures, sums, node);
  return chars === 0 ? 0 : linksIn(measures, sums, node) / chars;
}

export function isInside({ page }: Measures, node: number, outer: number): boolean {
  return node >= outer && node < at(page.ends, outer);
}

export function commonAncestor(measures: Measures, nodes: readonly number[]): number {
  const [first = 0, ...rest] = nodes;
  let ancestor = first;
  for (const node of rest) {
    while (ancestor !== 0 && !isInside(measures, node, ancestor)) {
      ancestor = at(measures.page.parents, ancestor);
    }
  }
  return ancestor;
}

export function listSemantic(measures: Measures, sums: Sums, minChars: number): readonly number[] {
  const { page, dropped } = measures;
  const found: number[] = [];
  for (let node = 1; node < page.count; node++) {
    if (at(dropped, node) === 1) {
      node = at(page.ends, node) - 1;
    } else if (isSemantic(measures, node) && charsIn(measures, sums, node) >= minChars) {
      found.push(node);
    }
  }
  return found;
}

export function isSemantic({ page }: Measures, node: number): boolean {
  const tag = at(page.tags, node);
  if (tag === TEXT) return false;
  if (tag === HTML.article || tag === HTML.main) return true;
  const attributes = page.attributes[at(page.refs, node)];
  if (attributes === undefined) return false;
  return attributes.itemprop === "articleBody" || attributes.role === "main";
}
