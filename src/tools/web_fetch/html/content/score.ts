// Which part of a page is the content: blocks of prose give points to what is around them, links
// take them away, and the best one is joined by those next to it that are like it.

import { isDataTable } from "../text/table.js";
import {
  attributesOf,
  blockAbove,
  charsIn,
  linkShare,
  type Measures,
  type Sums,
} from "../tree/measure.js";
import { at, HTML, isBlock, isHeading, TEXT } from "../tree/tags.js";

const MIN_PROSE_CHARS = 25;
const CHARS_A_POINT = 100;
const MAX_LENGTH_POINTS = 3;
const LEVELS = 5;
const RIVALS = 5;
const RIVAL_SHARE = 0.75;
const MIN_RIVALS = 3;
const SIBLING_SHARE = 0.2;
const MIN_SIBLING_POINTS = 10;
const MIN_SIBLING_CHARS = 80;
const MAX_SIBLING_LINKS = 0.25;
const MAX_PART_LINKS = 0.1;

const START_POINTS: ReadonlyMap<number, number> = new Map([
  [HTML.div, 5],
  [HTML.article, 8],
  [HTML.main, 5],
  [HTML.section, 3],
  [HTML.pre, 3],
  [HTML.td, 3],
  [HTML.blockquote, 3],
  [HTML.ul, -3],
  [HTML.ol, -3],
  [HTML.dl, -3],
  [HTML.dd, -3],
  [HTML.dt, -3],
  [HTML.li, -3],
  [HTML.form, -3],
  [HTML.th, -5],
]);

export interface Scoring {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly left: Int32Array;
  readonly usesWeights: boolean;
}

export function scoreRegion(scoring: Scoring): readonly number[] {
  const points = givePoints(scoring);
  const best = rank(scoring, points);
  const [first] = best;
  if (first === undefined) return [];
  const climbed = climb({ scoring, points, best, top: first.node });
  const top = leaveTable(scoring, climbed);
  return joinSiblings({ scoring, points, top });
}

function givePoints(scoring: Scoring): Map<number, number> {
  const { measures, left } = scoring;
  const { page, dropped, ownChars, ownCommas, blockChildren } = measures;
  const points = new Map<number, number>();
  for (let node = 0; node < page.count; node++) {
    if (at(dropped, node) === 1 || at(left, node) === 1) {
      node = at(page.ends, node) - 1;
      continue;
    }
    const own = at(ownChars, node);
    const tag = at(page.tags, node);
    if (own < MIN_PROSE_CHARS || isHeading(tag) || tag === TEXT) continue;
    const length = Math.min(MAX_LENGTH_POINTS, Math.floor(own / CHARS_A_POINT));
    const given = 1 + at(ownCommas, node) + length;
    // Text between blocks counts for the block it is in, as a paragraph would.
    let above = at(blockChildren, node) === 0 ? blockAbove(measures, node) : node;
    for (let level = 0; level < LEVELS; level++) {
      const before = points.get(above) ?? startPoints(scoring, above);
      points.set(above, before + given / (level === 0 ? 1 : level === 1 ? 2 : level * 3));
      if (above === 0) break;
      above = blockAbove(measures, above);
    }
  }
  return points;
}

function startPoints({ measures, usesWeights }: Scoring, node: number): number {
  const tag = at(measures.page.tags, node);
  const base = isHeading(tag) ? -5 : (START_POINTS.get(tag) ?? 0);
  return base + (usesWeights ? measures.senseOf(node).weight : 0);
}

interface Ranked {
  readonly node: number;
  readonly points: number;
}

function rank({ measures, sums }: Scoring, points: Map<number, number>): readonly Ranked[] {
  const best: Ranked[] = [];
  for (const [node, raw] of points) {
    const scaled = raw * (1 - linkShare(measures, sums, node));
    points.set(node, scaled);
    if (best.length === RIVALS && scaled <= (best.at(-1)?.points ?? 0)) continue;
    best.push({ node, points: scaled });
    best.sort((one, other) => other.points - one.points || one.node - other.node);
    if (best.length > RIVALS) best.pop();
  }
  return best;
}

interface Climbing {
  readonly scoring: Scoring;
  readonly points: ReadonlyMap<number, number>;
  readonly best: readonly Ranked[];
  readonly top: number;
}

function climb({ scoring, points, best, top }: Climbing): number {
  const { measures } = scoring;
  let chosen = shareAncestor({ scoring, points, best, top });
  let last = points.get(chosen) ?? 0;
  const least = last / 3;
  for (let above = blockAbove(measures, chosen); above > 0; above = blockAbove(measures, above)) {
    const score = points.get(above);
    if (score === undefined) continue;
    if (score < least) break;
    if (score > last) {
      chosen = above;
      break;
    }
    last = score;
  }
  while (chosen !== 0 && at(measures.blockChildren, blockAbove(measures, chosen)) === 1) {
    const above = blockAbove(measures, chosen);
    if (above === 0 || at(measures.page.tags, above) === HTML.body) break;
    chosen = above;
  }
  return chosen;
}

/** A part of a table of data is nothing without the rest of it. */
function leaveTable({ measures }: Scoring, top: number): number {
  const { page } = measures;
  for (let node = top; node > 0; node = at(page.parents, node)) {
    if (at(page.tags, node) === HTML.table && isDataTable(measures, node))
      return blockAbove(measures, node);
  }
  return top;
}

/** When several are nearly as good and lie below one element, that is the content. */
function shareAncestor({ scoring, best, top }: Climbing): number {
  const { measures } = scoring;
  const topPoints = best[0]?.points ?? 0;
  const rivals = best.filter(
    ({ node, points }) => node !== top && points >= topPoints * RIVAL_SHARE,
  );
  if (rivals.length < MIN_RIVALS) return top;
  for (let above = blockAbove(measures, top); above > 0; above = blockAbove(measures, above)) {
    const end = at(measures.page.ends, above);
    const below = rivals.filter(({ node }) => node > above && node < end);
    if (below.length >= MIN_RIVALS) return above;
  }
  return top;
}

function joinSiblings({ scoring, points, top }: Omit<Climbing, "best">): readonly number[] {
  const { measures, left } = scoring;
  const { page, dropped } = measures;
  if (top === 0) return [0];
  const above = at(page.parents, top);
  const topPoints = points.get(top) ?? 0;
  const least = Math.max(MIN_SIBLING_POINTS, topPoints * SIBLING_SHARE);
  const className = attributesOf(page, top).className;
  const region: number[] = [];
  for (let node = above + 1; node < at(page.ends, above); node = at(page.ends, node)) {
    if (node === top) region.push(node);
    else if (at(dropped, node) === 1 || at(left, node) === 1 || at(page.tags, node) === TEXT)
      continue;
    else {
      const isSameClass =
        className !== undefined && attributesOf(page, node).className === className;
      const score = (points.get(node) ?? 0) + (isSameClass ? topPoints * SIBLING_SHARE : 0);
      const isGood = points.has(node) && score >= least;
      if (isGood || isProse(scoring, node) || isPart(scoring, node)) region.push(node);
    }
  }
  return region;
}

/** A paragraph, a piece of code or a table next to the best block, with few links. */
function isProse({ measures, sums }: Scoring, node: number): boolean {
  const tag = at(measures.page.tags, node);
  if (isHeading(tag)) return true;
  const isParagraph = tag === HTML.p || tag === HTML.blockquote || tag === HTML.pre;
  if (!isParagraph && tag !== HTML.ul && tag !== HTML.ol && tag !== HTML.table) return false;
  if (!isBlock(tag) || linkShare(measures, sums, node) > MAX_SIBLING_LINKS) return false;
  return isParagraph || charsIn(measures, sums, node) >= MIN_SIBLING_CHARS;
}

/** A block with a heading or a table of data of its own, and few links. */
function isPart({ measures, sums, usesWeights }: Scoring, part: number): boolean {
  const { page, dropped } = measures;
  const tag = at(page.tags, part);
  if (tag !== HTML.div && tag !== HTML.section) return false;
  if (usesWeights && measures.senseOf(part).weight < 0) return false;
  if (linkShare(measures, sums, part) > MAX_PART_LINKS) return false;
  for (let node = part; node < at(page.ends, part); node++) {
    if (at(dropped, node) === 1) node = at(page.ends, node) - 1;
    else if (isHeading(at(page.tags, node))) return true;
    else if (at(page.tags, node) === HTML.table && isDataTable(measures, node)) return true;
  }
  return false;
}
