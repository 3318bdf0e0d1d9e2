// What is around the content and is left out of it: menus, footers, boxes whose class names say so,
// and inside the chosen part lists of links and calls to press a button.

import { lineText } from "../text/plain-text.js";
import { isDataTable } from "../text/table.js";
import {
  attributesOf,
  charsIn,
  linkShare,
  type Measures,
  proseIn,
  type Sums,
  sumText,
} from "../tree/measure.js";
import { at, FRAME, flagsOf, HTML, isHeading, TEXT, tagSet } from "../tree/tags.js";
import { isNote } from "../tree/words.js";

/** A block with more of the text of the region stays, whatever else it holds. */
const MAX_CLUTTER_SHARE = 0.3;
const MAX_LINKS = 0.6;
const MAX_LINKS_WITHOUT_PROSE = 0.2;
const MIN_PROSE_SHARE = 0.5;
const MAX_CALL_CHARS = 120;
const LISTS = tagSet("ul", "ol", "table");
const BLOCKS = tagSet("div", "section", "form", "fieldset", "header", "footer", "aside");

interface Cleaning {
  readonly measures: Measures;
  readonly region: readonly number[];
  /** Nodes left out before; those taken out now are marked in it too. */
  readonly left: Int32Array;
}

export function cleanRegion({ measures, region, left }: Cleaning): void {
  const { page, dropped } = measures;
  const sums = sumText(measures, left);
  const most =
    region.reduce((sum, root) => sum + charsIn(measures, sums, root), 0) * MAX_CLUTTER_SHARE;
  for (const root of region) {
    for (let node = root + 1; node < at(page.ends, root); node++) {
      const isOut = at(dropped, node) === 1 || at(left, node) === 1;
      const chars = charsIn(measures, sums, node);
      if (!isOut && (chars === 0 || chars > most || !isClutter(measures, sums, node))) continue;
      left[node] = 1;
      node = at(page.ends, node) - 1;
    }
  }
}

function isClutter(measures: Measures, sums: Sums, node: number): boolean {
  const tag = at(measures.page.tags, node);
  const isList = LISTS.has(tag);
  if (!isList && !BLOCKS.has(tag)) return false;
  if (tag === HTML.table && isDataTable(measures, node)) return false;
  const links = linkShare(measures, sums, node);
  if (links > MAX_LINKS) return true;
  // A block of plain text is a paragraph, and so is an item of a list.
  if (isList || at(measures.blockChildren, node) === 0) return false;
  const chars = charsIn(measures, sums, node);
  const prose = proseIn(measures, sums, node);
  if (links > MAX_LINKS_WITHOUT_PROSE && prose < chars * MIN_PROSE_SHARE) return true;
  return prose === 0 && chars < MAX_CALL_CHARS && isCall(measures, node);
}

/** A few words next to a button; a number may be a price. */
function isCall(measures: Measures, block: number): boolean {
  const { page } = measures;
  let hasButton = false;
  for (let node = block; node < at(page.ends, block); node++) {
    const tag = at(page.tags, node);
    if (isHeading(tag)) return false;
    hasButton ||= tag === HTML.button || tag === HTML.input;
  }
  return hasButton && !/\d/.test(lineText(measures, block));
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

/** `frame`: all that is around the content. `menus`: names count only for blocks that are mostly links. */
type Strip = "frame" | "menus";

/** 1 for each node whose subtree is left out. */
export function stripFrame(measures: Measures, sums: Sums, strip: Strip): Int32Array {
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
    const reason = judge({ measures, sums }, { node, tag, strip });
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
  { node, tag, strip }: { node: number; tag: number; strip: Strip },
): Reason {
  const { page } = measures;
  const hasAttributes = at(page.refs, node) !== -1;
  const { className, role } = attributesOf(page, node);
  // A box next to the text of a manual belongs to it.
  if (isNote(className)) return "stays";
  if ((flagsOf(tag) & FRAME) !== 0) return "tag";
  if (tag === HTML.header && !isInContent(measures, node)) return "tag";
  if (!hasAttributes) return "stays";
  if (role !== undefined && FRAME_ROLES.has(role)) return "tag";
  // A heading is part of what it is above, and so is code.
  if (isHeading(tag) || tag === HTML.pre || tag === HTML.code) return "stays";
  const sense = measures.senseOf(node);
  if (sense.isFrame && linkShare(measures, sums, node) >= MENU_LINK_SHARE) return "menu";
  if (strip === "menus") return "stays";
  if (sense.isRemark) return "remark";
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
