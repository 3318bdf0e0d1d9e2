// Takes out of the content what does not belong to it: lists of links, forms, boxes that are mostly
// links. One pass from the end to the beginning, so that children are judged before their parents.

import type { Measures } from "../tree/measure.js";
import { at } from "../tree/numbers.js";
import { isDataTable } from "../tree/table-shape.js";
import { HTML, isHeading, TEXT } from "../tree/tags.js";

/** A block with more of the text of the region stays, whatever else it holds. */
const MAX_SHARE = 0.35;
const LINK_LIST_SHARE = 0.6;
const MAX_LINK_LIST_PART = 0.3;
const MANY_COMMAS = 10;
const SHORT_CHARS = 25;
const CALL_CHARS = 120;
const MAX_LINKS = 0.2;
const MAX_LINKS_OF_GOOD = 0.5;

export interface Cleaning {
  readonly measures: Measures;
  readonly region: readonly number[];
  /** Nodes left out before; those taken out now are marked in it too. */
  readonly left: Int32Array;
  readonly usesWeights: boolean;
  readonly keepsLists: boolean;
}

type Totals = ReturnType<typeof createTotals>;

export function cleanRegion(cleaning: Cleaning): void {
  const { measures, region } = cleaning;
  const { page } = measures;
  const totals = createTotals(page.count);
  const regionChars = countChars(cleaning);
  for (const root of region) {
    for (let node = at(page.ends, root) - 1; node > root; node--) {
      addOwn({ cleaning, totals, node });
      if (at(cleaning.left, node) === 1 || at(measures.dropped, node) === 1) {
        if (at(totals.buttons, node) > 0) raise(totals.buttons, at(page.parents, node));
        continue;
      }
      if (isClutter({ cleaning, totals, node, regionChars })) {
        cleaning.left[node] = 1;
        if (at(totals.links, node) > 0) raise(totals.pressed, at(page.parents, node));
      } else addToParent({ totals, node, parent: at(page.parents, node) });
    }
  }
}

function createTotals(count: number) {
  return {
    chars: new Int32Array(count),
    links: new Int32Array(count),
    commas: new Int32Array(count),
    headings: new Int32Array(count),
    paragraphs: new Int32Array(count),
    images: new Int32Array(count),
    items: new Int32Array(count),
    buttons: new Int32Array(count),
    codes: new Int32Array(count),
    /** Blocks with links that were taken out. */
    pressed: new Int32Array(count),
    /** Titles and prices: what is next to them is worth its button. */
    goods: new Int32Array(count),
  };
}

function countChars({ measures, region, left }: Cleaning): number {
  const { page, chars, dropped } = measures;
  let total = 0;
  for (const root of region) {
    for (let node = root; node < at(page.ends, root); node++) {
      if (at(left, node) === 1 || at(dropped, node) === 1) node = at(page.ends, node) - 1;
      else total += at(chars, node);
    }
  }
  return Math.max(1, total);
}

interface Place {
  readonly cleaning: Cleaning;
  readonly totals: Totals;
  readonly node: number;
}

function addOwn({ cleaning, totals, node }: Place): void {
  const { page, chars, inLink, commas, blocks } = cleaning.measures;
  const tag = at(page.tags, node);
  if (tag === TEXT) {
    totals.chars[node] = at(chars, node);
    totals.commas[node] = at(commas, node);
    if (at(inLink, node) === 1) totals.links[node] = at(chars, node);
    if (isHeading(at(page.tags, at(blocks, node)))) totals.headings[node] = at(chars, node);
  } else if (tag === HTML.p) raise(totals.paragraphs, node);
  else if (tag === HTML.img) raise(totals.images, node);
  else if (tag === HTML.li) raise(totals.items, node);
  else if (tag === HTML.input || tag === HTML.button) raise(totals.buttons, node);
  else if (tag === HTML.pre) raise(totals.codes, node);
  else if (tag === HTML.h1 || cleaning.measures.senseOf(node).isPrice) raise(totals.goods, node);
}

function raise(list: Int32Array, node: number): void {
  list[node] = at(list, node) + 1;
}

function addToParent({
  totals,
  node,
  parent,
}: {
  totals: Totals;
  node: number;
  parent: number;
}): void {
  totals.chars[parent] = at(totals.chars, parent) + at(totals.chars, node);
  totals.links[parent] = at(totals.links, parent) + at(totals.links, node);
  totals.commas[parent] = at(totals.commas, parent) + at(totals.commas, node);
  totals.headings[parent] = at(totals.headings, parent) + at(totals.headings, node);
  totals.paragraphs[parent] = at(totals.paragraphs, parent) + at(totals.paragraphs, node);
  totals.images[parent] = at(totals.images, parent) + at(totals.images, node);
  totals.items[parent] = at(totals.items, parent) + at(totals.items, node);
  totals.buttons[parent] = at(totals.buttons, parent) + at(totals.buttons, node);
  totals.codes[parent] = at(totals.codes, parent) + at(totals.codes, node);
  totals.pressed[parent] = at(totals.pressed, parent) + at(totals.pressed, node);
  totals.goods[parent] = at(totals.goods, parent) + at(totals.goods, node);
}

const JUDGED: ReadonlySet<number> = new Set([
  HTML.div,
  HTML.section,
  HTML.form,
  HTML.fieldset,
  HTML.ul,
  HTML.ol,
  HTML.table,
  HTML.header,
  HTML.footer,
  HTML.aside,
]);

function isClutter({
  cleaning,
  totals,
  node,
  regionChars,
}: Place & { regionChars: number }): boolean {
  const { measures, usesWeights, keepsLists } = cleaning;
  const tag = at(measures.page.tags, node);
  if (!JUDGED.has(tag)) return false;
  const chars = at(totals.chars, node);
  if (chars === 0 || chars > regionChars * MAX_SHARE) return false;
  if (at(totals.codes, node) > 0 || chars === at(totals.headings, node)) return false;
  if (tag === HTML.table && isDataTable(measures, node)) return false;
  const weight = usesWeights ? measures.senseOf(node).weight : 0;
  if (weight < 0) return true;
  const links = at(totals.links, node) / chars;
  const isList = tag === HTML.ul || tag === HTML.ol;
  if (isList && keepsLists) return false;
  if (links > LINK_LIST_SHARE && chars < regionChars * MAX_LINK_LIST_PART) return true;
  // A block of plain text is a paragraph, and so is an item of a list.
  if (isList || at(measures.blockChildren, node) === 0) return false;
  return isMostlyOther({ totals, node, chars, links, weight });
}

interface Judged {
  readonly totals: Totals;
  readonly node: number;
  readonly chars: number;
  readonly links: number;
  readonly weight: number;
}

function isMostlyOther({ totals, node, chars, links, weight }: Judged): boolean {
  if (at(totals.commas, node) >= MANY_COMMAS) return false;
  const paragraphs = at(totals.paragraphs, node);
  const images = at(totals.images, node);
  if (images > 1 && paragraphs / images < 0.5 && chars < SHORT_CHARS * 4) return true;
  // A few words above a button call for something.
  const isCall = at(totals.buttons, node) > 0 && at(totals.goods, node) === 0;
  if (isCall && paragraphs === 0 && chars < CALL_CHARS) return true;
  // A short answer or definition is content; a short label next to something to press is not.
  const isPressed = links > 0 || at(totals.pressed, node) > 0 || isCall;
  if (isPressed && chars < SHORT_CHARS && images === 0 && at(totals.items, node) === 0) return true;
  return links > (weight > 0 ? MAX_LINKS_OF_GOOD : MAX_LINKS);
}
