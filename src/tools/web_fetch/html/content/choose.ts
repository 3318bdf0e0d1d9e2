// Chooses the content of a page: what its kind says, else the element that the page calls its content,
// else the innermost block with most of the text.

import { isDataTable } from "../text/table.js";
import {
  charsIn,
  commonAncestor,
  isInside,
  isSemantic,
  linkShare,
  linksIn,
  listSemantic,
  type Measures,
  proseIn,
  type Sums,
  sumText,
} from "../tree/measure.js";
import { at, HTML, isHeading, TEXT, tagSet } from "../tree/tags.js";
import type { KindFinding } from "./kind.js";
import { cleanRegion, stripFrame } from "./strip.js";

const ENOUGH_CHARS = 500;
const MIN_SEMANTIC_CHARS = 200;
/** A semantic element holds at least this share of the page, or of the one around it. */
const MIN_SEMANTIC_SHARE = 0.5;
const MIN_INNER_SHARE = 0.6;
/** The innermost block with most of the text leaves out no more than this. */
const MAX_OUTSIDE_SHARE = 0.4;
const MAX_OUTSIDE_CHARS = 200;
const MAX_PART_LINKS = 0.1;
/** The cleaned region is taken when it has this share of the whole page without menus. */
const FAIR_SHARE = 0.5;

export interface Choice {
  readonly region: readonly number[];
  /** 1 for each node whose subtree is not shown. */
  readonly left: Int32Array;
  readonly keptChars: number;
  /** Neither kept nor around the content. */
  readonly leftChars: number;
  readonly keptLinks: number;
}

export interface ChoiceRequest {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly finding: KindFinding;
}

export function chooseContent(request: ChoiceRequest): Choice {
  if (request.finding.members.length > 1) {
    const known = chooseMembers(request);
    if (known.keptChars > 0) return known;
  }
  const choice = chooseRegion(request);
  const isNamed = choice.region.some((node) => isSemantic(request.measures, node));
  if (choice.keptChars >= (isNamed ? MIN_SEMANTIC_CHARS : ENOUGH_CHARS)) return choice;
  const body = chooseBody(request);
  return choice.keptChars > body.keptChars * FAIR_SHARE ? choice : body;
}

function chooseRegion({ measures, sums, finding }: ChoiceRequest): Choice {
  const isManual = finding.kind === "docs";
  const left = stripFrame(measures, sums, "frame");
  const rest = sumText(measures, left);
  const named = findSemantic(measures, rest);
  const region = named === undefined ? findProse(measures, rest) : [named];
  if (!isManual) cleanRegion({ measures, region, left });
  return settle({ measures, region, left });
}

/** Everything that can be seen but for menus, footers and the like: the last resort. */
export function chooseBody({ measures, sums }: ChoiceRequest): Choice {
  const left = stripFrame(measures, sums, "menus");
  return settle({ measures, region: [0], left });
}

function chooseMembers({ measures, sums, finding }: ChoiceRequest): Choice {
  const { page } = measures;
  const { members } = finding;
  const left = stripFrame(measures, sums, "menus");
  const above = commonAncestor(measures, members);
  const [first = 0, last = 0] = [members[0], members.at(-1)];
  const region: number[] = [];
  for (let node = above + 1; node < at(page.ends, above); node = at(page.ends, node)) {
    if (at(page.ends, node) > first && node <= last && at(page.tags, node) !== TEXT)
      region.push(node);
  }
  return settle({ measures, region, left });
}

/** The innermost element that a page calls its content and that still holds most of it. */
function findSemantic(measures: Measures, sums: Sums): number | undefined {
  const all = listSemantic(measures, sums, MIN_SEMANTIC_CHARS);
  const charsOf = (node: number) => charsIn(measures, sums, node);
  const [outer = 0] = [...all].sort((one, other) => charsOf(other) - charsOf(one));
  if (charsOf(outer) < charsOf(0) * MIN_SEMANTIC_SHARE) return undefined;
  const least = charsOf(outer) * MIN_INNER_SHARE;
  return all.findLast((node) => isInside(measures, node, outer) && charsOf(node) >= least);
}

/** The innermost block with most of the prose, and what is next to it and belongs to it. */
function findProse(measures: Measures, sums: Sums): readonly number[] {
  const { page } = measures;
  const all = proseIn(measures, sums, 0);
  const least = all - Math.min(all * MAX_OUTSIDE_SHARE, MAX_OUTSIDE_CHARS);
  let most = 0;
  for (let node = 1; node < at(page.ends, most); ) {
    const tag = at(page.tags, node);
    const isWhole = tag === HTML.table && isDataTable(measures, node);
    const holdsMost = !isWhole && proseIn(measures, sums, node) >= least;
    if (holdsMost && CONTAINERS.has(tag)) most = node;
    node = holdsMost ? node + 1 : at(page.ends, node);
  }
  if (most === 0) return [0];
  const above = at(page.parents, most);
  const region: number[] = [];
  for (let node = above + 1; node < at(page.ends, above); node = at(page.ends, node)) {
    if (node === most || isPart(measures, sums, node)) region.push(node);
  }
  return region;
}

/** A list or a table is nothing without the text before it. */
const CONTAINERS = tagSet("body", "main", "article", "section", "div", "form", "center", "td");
const PROSE = tagSet("p", "blockquote", "pre", "ul", "ol", "dl", "table");

/** Text, or a block with a heading or a table of data of its own, with few links. */
function isPart(measures: Measures, sums: Sums, part: number): boolean {
  const { page } = measures;
  if (charsIn(measures, sums, part) === 0) return false;
  if (linkShare(measures, sums, part) > MAX_PART_LINKS) return false;
  if (PROSE.has(at(page.tags, part))) return true;
  for (let node = part; node < at(page.ends, part); node++) {
    const tag = at(page.tags, node);
    if (isHeading(tag) || (tag === HTML.table && isDataTable(measures, node))) return true;
  }
  return false;
}

export function settle(
  found: Pick<Choice, "region" | "left"> & { readonly measures: Measures },
): Choice {
  const { measures, region, left } = found;
  const sums = sumText(measures, left);
  const total = (countIn: typeof charsIn) =>
    region.reduce((sum, node) => sum + countIn(measures, sums, node), 0);
  const keptChars = total(charsIn);
  const leftChars = charsIn(measures, sums, 0) - keptChars;
  return { region, left, keptChars, leftChars, keptLinks: total(linksIn) };
}
