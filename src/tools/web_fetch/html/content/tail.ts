// Takes out of a chosen region what repeats or advertises: captions that a gallery shows twice,
// boxes such as "You may also like", and the copyright line at the end.

import { lineText } from "../text/plain-text.js";
import {
  attributesOf,
  charsIn,
  linkShare,
  type Measures,
  type Sums,
  sumText,
} from "../tree/measure.js";
import { at, HTML, isBlock, isHeading, TEXT } from "../tree/tags.js";

const GALLERY = /(?:^|[\s_-])(?:caption|gallery|carousel|slide(?:s|r|show)?|lightbox|thumb)/i;
const MIN_CAPTION_CHARS = 12;
const MAX_CAPTION_CHARS = 1_000;
const MAX_LABEL_CHARS = 80;
const PROMOTES =
  /^(?:you (?:may|might|could) (?:also )?(?:like|enjoy|be interested)|(?:also|more|elsewhere) (?:on|from|in) \S|(?:related|recommended|popular|trending|more|further|latest|top|other) (?:articles?|stories|posts?|news|coverage|content|videos?|topics?|reads?|for you)|(?:related|recommended|trending|most (?:read|popular|viewed))\s*:?$|(?:read|watch|up) next|what to read next|(?:read|see) (?:more|also)\s*:|don['’]t miss|sponsored|promoted (?:content|stories))/i;
/** What follows is a slide show of the site, whatever it holds. */
const ALSO_ON = /^also on \S.{0,30}:?$/i;
const COPYRIGHT = /^(?:©|\(c\)\s*\d{4}|copyright\b|all rights reserved)/i;
const MAX_COPYRIGHT_CHARS = 250;
/** A block with more text that is not mostly links is part of the article. */
const MAX_CLUTTER_CHARS = 60;
const MOSTLY_LINKS = 0.5;
/** Only the end of a region can be a box below the article. */
const TAIL_SHARE = 0.4;

export interface Tail {
  readonly measures: Measures;
  readonly region: readonly number[];
  /** Nodes left out before; those taken out now are marked in it too. */
  readonly left: Int32Array;
}

export function dropTails(tail: Tail): void {
  const { measures, left } = tail;
  dropRepeatedCaptions(tail);
  const blocks = listTextBlocks(tail);
  const sums = sumText(measures, left);
  dropPromotions({ ...tail, blocks, sums });
  for (const node of blocks.toReversed()) {
    if (at(left, node) === 1) continue;
    if (!COPYRIGHT.test(shortText({ measures, sums, node, maxChars: MAX_COPYRIGHT_CHARS }))) break;
    left[node] = 1;
  }
}

/** Empty for a longer one, so that no text is gathered again for each block around it. */
function shortText(asked: {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly node: number;
  readonly maxChars: number;
}): string {
  const { measures, sums, node, maxChars } = asked;
  return charsIn(measures, sums, node) > maxChars ? "" : lineText(measures, node);
}

function dropRepeatedCaptions(tail: Tail): void {
  const { measures } = tail;
  const sums = sumText(measures, tail.left);
  const seen = new Set<string>();
  for (const node of eachBlock(tail)) {
    if (!isCaption(measures, node)) continue;
    const text = shortText({ measures, sums, node, maxChars: MAX_CAPTION_CHARS });
    if (text.length < MIN_CAPTION_CHARS) continue;
    if (seen.has(text)) tail.left[node] = 1;
    seen.add(text);
  }
}

/** A caption, or a block of text in a gallery. */
function isCaption({ page, blockChildren }: Measures, node: number): boolean {
  if (at(page.tags, node) === HTML.figcaption) return true;
  if (at(blockChildren, node) > 0) return false;
  for (let above = node, steps = 0; above > 0 && steps < 5; above = at(page.parents, above)) {
    if (at(page.tags, above) === HTML.figure) return true;
    if (GALLERY.test(attributesOf(page, above).className ?? "")) return true;
    steps++;
  }
  return false;
}

interface Promotions extends Tail {
  readonly blocks: readonly number[];
  readonly sums: Sums;
}

function dropPromotions({ measures, left, blocks, sums }: Promotions): void {
  const end = at(measures.page.ends, blocks.at(-1) ?? 0);
  const charsFrom = (node: number) => at(sums.chars, end) - at(sums.chars, node);
  const all = charsFrom(blocks[0] ?? 0);
  for (const [index, node] of blocks.entries()) {
    if (at(left, node) === 1) continue;
    const text = shortText({ measures, sums, node, maxChars: MAX_LABEL_CHARS });
    if (!PROMOTES.test(text)) continue;
    const isSlideShow = ALSO_ON.test(text) && charsFrom(node) < all * TAIL_SHARE;
    let next = index + 1;
    while (next < blocks.length) {
      if (!isSlideShow && !isClutter({ measures, sums, node: blocks[next] ?? 0 })) break;
      left[blocks[next] ?? 0] = 1;
      next++;
    }
    const isLink = linkShare(measures, sums, node) >= MOSTLY_LINKS;
    if (next > index + 1 || next === blocks.length || isLink) left[node] = 1;
  }
}

function isClutter(asked: {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly node: number;
}): boolean {
  const { measures, sums, node } = asked;
  if (linkShare(measures, sums, node) >= MOSTLY_LINKS) return true;
  return (
    !isHeading(at(measures.page.tags, node)) && charsIn(measures, sums, node) < MAX_CLUTTER_CHARS
  );
}

/** Blocks that hold text themselves, in the order of the page. */
function listTextBlocks(tail: Tail): number[] {
  const { ownChars } = tail.measures;
  return [...eachBlock(tail)].filter((node) => at(ownChars, node) > 0);
}

function* eachBlock({ measures, region, left }: Tail): Generator<number> {
  const { page, dropped } = measures;
  for (const root of region) {
    for (let node = root; node < at(page.ends, root); node++) {
      if (at(left, node) === 1 || at(dropped, node) === 1) node = at(page.ends, node) - 1;
      else if (at(page.tags, node) !== TEXT && isBlock(at(page.tags, node))) yield node;
    }
  }
}
