// What is around the content and is left out before anything is scored: menus, footers, boxes
// whose class names say so. What holds much of the text stays, whatever its name.

import { attributesOf, type Measures } from "../tree/measure.js";
import { at } from "../tree/numbers.js";
import { charsIn, linkShare, type Sums } from "../tree/sums.js";
import { FRAME, flagsOf, HTML, isHeading, TEXT } from "../tree/tags.js";
import { isNote } from "../tree/words.js";

/** A block with a larger share of the visible text is not left out for its name. */
const MAX_NAMED_SHARE = 0.3;
const MAX_TAG_SHARE = 0.6;
/** A block with so much of its text in links that is named like a menu is one. */
const MENU_LINK_SHARE = 0.8;
const MAX_MENU_SHARE = 0.9;
/** So much must be left when remarks are taken away. */
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
