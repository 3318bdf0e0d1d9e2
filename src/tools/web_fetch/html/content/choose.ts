// Chooses the content of a page: by its kind where that says it, else by points, in up to four
// attempts that each let more through until there is enough text.

import {
  attributesOf,
  charsIn,
  commonAncestor,
  isInside,
  isSemantic,
  linksIn,
  listSemantic,
  type Measures,
  type Sums,
  sumText,
} from "../tree/measure.js";
import { at, HTML, TEXT } from "../tree/tags.js";
import type { KindFinding } from "./kind.js";
import { scoreRegion } from "./score.js";
import { cleanRegion, type StripRules, stripFrame } from "./strip.js";

const ENOUGH_CHARS = 500;
/** Enough when the page itself calls the region its content. */
const ENOUGH_SEMANTIC_CHARS = 200;
/** Of the semantic regions one inside another is taken when it holds so much of it. */
const INNER_SHARE = 0.6;
/** An earlier attempt, which is cleaner, is taken when it has so much of the longest. */
const FAIR_SHARE = 0.5;

export interface Choice {
  readonly region: readonly number[];
  /** 1 for each node whose subtree is not shown. */
  readonly left: Int32Array;
  readonly keptChars: number;
  readonly keptLinks: number;
}

export interface ChoiceRequest {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly finding: KindFinding;
}

export function chooseContent(request: ChoiceRequest): Choice {
  const { finding } = request;
  if (finding.members.length > 1) {
    const known = chooseMembers(request);
    if (known.keptChars > 0) return known;
  }
  return finding.kind === "docs" ? chooseManual(request) : chooseByPoints(request);
}

/** Everything that can be seen but for menus, footers and the like: the last resort. */
export function chooseBody({ measures, sums }: ChoiceRequest): Choice {
  const left = stripFrame(measures, sums, {
    byName: "menus",
    keepsRemarks: true,
    keepsNotes: true,
  });
  return settle({ measures, region: [0], left });
}

function chooseMembers({ measures, sums, finding }: ChoiceRequest): Choice {
  const { page } = measures;
  const { members, kind } = finding;
  const isForum = kind === "forum";
  const left = stripFrame(measures, sums, {
    byName: isForum ? "all" : "none",
    keepsRemarks: true,
    keepsNotes: true,
  });
  for (const node of members) free(measures, left, node);
  const above = commonAncestor(measures, members);
  const [first = 0, last = 0] = [members[0], members.at(-1)];
  const region: number[] = [];
  for (let node = above + 1; node < at(page.ends, above); node = at(page.ends, node)) {
    if (at(page.ends, node) > first && node <= last && at(page.tags, node) !== TEXT)
      region.push(node);
  }
  return settle({ measures, region, left });
}

/** What is around the region was chosen for it, so its names do not count. */
function free({ page }: Measures, left: Int32Array, region: number): void {
  for (let node = region; node > 0; node = at(page.parents, node)) left[node] = 0;
}

function chooseManual(request: ChoiceRequest): Choice {
  const { measures, sums } = request;
  const region = findSemantic(measures, sums);
  if (region === undefined) return chooseByPoints(request);
  const left = stripFrame(measures, sums, { byName: "all", keepsRemarks: false, keepsNotes: true });
  free(measures, left, region);
  const choice = settle({ measures, region: [region], left });
  return choice.keptChars >= ENOUGH_SEMANTIC_CHARS ? choice : chooseByPoints(request);
}

/** The innermost element that a page calls its content and that still holds most of it. */
function findSemantic(measures: Measures, sums: Sums): number | undefined {
  const all = listSemantic(measures, sums, ENOUGH_SEMANTIC_CHARS);
  const [outer] = [...all].sort(
    (one, other) => charsIn(measures, sums, other) - charsIn(measures, sums, one),
  );
  if (outer === undefined) return undefined;
  const least = charsIn(measures, sums, outer) * INNER_SHARE;
  return all
    .filter((node) => isInside(measures, node, outer) && charsIn(measures, sums, node) >= least)
    .at(-1);
}

interface Attempt {
  readonly rules: StripRules | undefined;
  readonly usesWeights: boolean;
  readonly cleans: boolean;
}

const STRIP = { byName: "all", keepsRemarks: false, keepsNotes: false } as const;
const ATTEMPTS: readonly Attempt[] = [
  { rules: STRIP, usesWeights: true, cleans: true },
  { rules: { ...STRIP, byName: "menus" }, usesWeights: true, cleans: true },
  { rules: { ...STRIP, byName: "menus" }, usesWeights: false, cleans: true },
  { rules: undefined, usesWeights: false, cleans: false },
];

function chooseByPoints(request: ChoiceRequest): Choice {
  const tried: Choice[] = [];
  for (const attempt of ATTEMPTS) {
    const choice = tryOnce(request, attempt);
    tried.push(choice);
    if (choice.keptChars >= ENOUGH_CHARS) break;
    const isNamed =
      choice.region.length > 0 &&
      choice.region.every((node) => isUnderSemantic(request.measures, node));
    if (isNamed && choice.keptChars >= ENOUGH_SEMANTIC_CHARS) break;
  }
  const longest = Math.max(...tried.map(({ keptChars }) => keptChars));
  const fair = tried.find(({ keptChars }) => keptChars >= longest * FAIR_SHARE);
  return fair === undefined || longest === 0 ? chooseBody(request) : fair;
}

function tryOnce(
  { measures, sums, finding }: ChoiceRequest,
  { rules, usesWeights, cleans }: Attempt,
): Choice {
  const keepsNotes = finding.kind === "docs";
  const left = rules
    ? stripFrame(measures, sums, { ...rules, keepsNotes })
    : new Int32Array(measures.page.count);
  const sumsLeft = sumText(measures, left);
  const only = findArticleBody(measures, sumsLeft) ?? findMain(measures, sumsLeft);
  const region =
    only === undefined ? scoreRegion({ measures, sums: sumsLeft, left, usesWeights }) : [only];
  if (cleans) cleanRegion({ measures, region, left, usesWeights, keepsLists: keepsNotes });
  return settle({ measures, region, left });
}

function findArticleBody(measures: Measures, sums: Sums): number | undefined {
  const { page } = measures;
  const marked = listSemantic(measures, sums, ENOUGH_SEMANTIC_CHARS).filter(
    (node) => page.attributes[at(page.refs, node)]?.itemprop === "articleBody",
  );
  return marked.length === 1 ? marked[0] : undefined;
}

/** The one main part of a page, unless an article in it is the most of it: that is scored. */
function findMain(measures: Measures, sums: Sums): number | undefined {
  const { page } = measures;
  const all = listSemantic(measures, sums, ENOUGH_SEMANTIC_CHARS);
  const mains = all.filter((node) => isMain(page, node));
  const [main] = mains;
  if (main === undefined || mains.length > 1) return undefined;
  const least = charsIn(measures, sums, main) * INNER_SHARE;
  const hasArticle = all.some(
    (node) =>
      node !== main && isInside(measures, node, main) && charsIn(measures, sums, node) >= least,
  );
  return hasArticle ? undefined : main;
}

function isMain(page: Measures["page"], node: number): boolean {
  return at(page.tags, node) === HTML.main || attributesOf(page, node).role === "main";
}

function isUnderSemantic(measures: Measures, node: number): boolean {
  for (let above = node; above > 0; above = at(measures.page.parents, above)) {
    if (isSemantic(measures, above)) return true;
  }
  return false;
}

export function settle(
  found: Pick<Choice, "region" | "left"> & { readonly measures: Measures },
): Choice {
  const { measures, region, left } = found;
  const sums = sumText(measures, left);
  let keptChars = 0;
  let keptLinks = 0;
  for (const node of region) {
    keptChars += charsIn(measures, sums, node);
    keptLinks += linksIn(measures, sums, node);
  }
  return { region, left, keptChars, keptLinks };
}
