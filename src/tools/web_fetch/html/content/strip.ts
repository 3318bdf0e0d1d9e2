// What is around the content and is left out before anything is scored: menus, footers, boxes
// whose class names say so. What holds much of the text stays, whatever its name.

import { isDataTable } from "../text/table.js";
import { attributesOf, charsIn, linkShare, type Measures, type Sums } from "../tree/measure.js";
import { at, FRAME, flagsOf, HTML, isHeading, TEXT, tagSet } from "../tree/tags.js";
import { isNote } from "../tree/words.js";

/** A block with more of the text of the region stays, whatever else it holds. */
const MAX_SHARE = 0.35;
const LINK_LIST_SHARE = 0.6;
const MAX_LINK_LIST_PART = 0.3;
const MANY_COMMAS = 10;
const SHORT_CHARS = 25;
const CALL_CHARS = 120;
const MAX_LINKS = 0.2;
const MAX_LINKS_OF_GOOD = 0.5;

interface Cleaning {
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
  const lists = Object.values(totals);
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
        continue;
      }
      const parent = at(page.parents, node);
      for (const list of lists) list[parent] = at(list, parent) + at(list, node);
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
    pressed: new Int32Array(count),
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

const JUDGED_BLOCKS = tagSet("div", "section", "form", "fieldset", "header", "footer", "aside");
const JUDGED_LISTS = tagSet("ul", "ol", "table");

function isClutter({
  cleaning,
  totals,
  node,
  regionChars,
}: Place & { regionChars: number }): boolean {
  const { measures, usesWeights, keepsLists } = cleaning;
  const tag = at(measures.page.tags, node);
  if (!JUDGED_BLOCKS.has(tag) && !JUDGED_LISTS.has(tag)) return false;
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

const MAX_NAMED_SHARE = 0.3;
const MAX_TAG_SHARE = 0.6;
const MENU_LINK_SHARE = 0.8;
const MAX_MENU_SHARE = 0.9;
const MIN_LEFT_CHARS = 250;
const FRAME_ROLES: ReadonlySet<string> = new Set([
  "navigation",
  "complementary",
  "contentinfo",
  "banner",
  "search",
  "dialog",
  "alertdialog",
  "menu",
  "menubar",
  "toolbar",
]);

export interface StripRules {
  /** By class names too: of all blocks, of those that are mostly links, or of none. */
  readonly byName: "all" | "menus" | "none";
  /** In a forum they are the content. */
  readonly keepsRemarks: boolean;
  /** In a manual a box next to the text belongs to it. */
  readonly keepsNotes: boolean;
}

/** 1 for each node whose subtree is left out. */
export function stripFrame(measures: Measures, sums: Sums, rules: StripRules): Int32Array {
  const { page, dropped } = measures;
  const left = new Int32Array(page.count);
  const total = Math.max(1, measures.visibleChars);
  let remaining = total;
  for (let node = 1; node < page.count; node++) {
    const tag = at(page.tags, node);
    if (tag === TEXT) continue;
    if (at(dropped, node) === 1) {
      node = at(page.ends, node) - 1;
      continue;
    }
    if (tag === HTML.body || tag === HTML.html || tag === HTML.article || tag === HTML.main)
      continue;
    const chars = charsIn(measures, sums, node);
    const reason = judge({ measures, sums }, { node, tag, rules });
    if (reason === "stays") continue;
    if (
      reason === "remark" ? remaining - chars < MIN_LEFT_CHARS : chars / total > MAX_SHARES[reason]
    ) {
      continue;
    }
    remaining -= chars;
    left[node] = 1;
    node = at(page.ends, node) - 1;
  }
  return left;
}

type Reason = "stays" | "tag" | "name" | "menu" | "remark";

const MAX_SHARES = { tag: MAX_TAG_SHARE, name: MAX_NAMED_SHARE, menu: MAX_MENU_SHARE } as const;

function judge(
  { measures, sums }: { readonly measures: Measures; readonly sums: Sums },
  { node, tag, rules }: { node: number; tag: number; rules: StripRules },
): Reason {
  const { page } = measures;
  const hasAttributes = at(page.refs, node) !== -1;
  const attributes = hasAttributes ? attributesOf(page, node) : undefined;
  if (attributes !== undefined && rules.keepsNotes && isNote(attributes.className)) return "stays";
  if ((flagsOf(tag) & FRAME) !== 0) return "tag";
  if (tag === HTML.header && !isInContent(measures, node)) return "tag";
  if (attributes === undefined) return "stays";
  if (attributes.role !== undefined && FRAME_ROLES.has(attributes.role)) return "tag";
  // A heading is part of what it is above, and so is code.
  if (rules.byName === "none" || isHeading(tag) || tag === HTML.pre || tag === HTML.code)
    return "stays";
  const sense = measures.senseOf(node);
  if (sense.isFrame && linkShare(measures, sums, node) >= MENU_LINK_SHARE) return "menu";
  if (rules.byName === "menus") return "stays";
  if (sense.isRemark && !rules.keepsRemarks) return "remark";
  return sense.isFrame ? "name" : "stays";
}

/** The head of an article is not that of the page. */
function isInContent({ page }: Measures, node: number): boolean {
  for (let above = at(page.parents, node); above > 0; above = at(page.parents, above)) {
    const tag = at(page.tags, above);
    if (tag === HTML.article || tag === HTML.main || tag === HTML.section) return true;
  }
  return false;
}
