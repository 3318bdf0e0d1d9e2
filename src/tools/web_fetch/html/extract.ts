// One page from HTML to text: scanned, measured, its content chosen and written, with what a reader
// should know about how well that went.

import { type Choice, chooseBody, chooseContent, settle } from "./content/choose.js";
import { findKind, type KindFinding, type PageKind } from "./content/kind.js";
import { stripFrame } from "./content/strip.js";
import { type TextMode, type Written, writeContent } from "./text/markdown.js";
import { lineText } from "./text/plain-text.js";
import {
  attributesOf,
  charsIn,
  type Measures,
  measurePage,
  type Sums,
  sumText,
} from "./tree/measure.js";
import { scanHtml, type TokenizerClass } from "./tree/scan.js";
import { at, TEXT } from "./tree/tags.js";

const END_CHARS = 1_200;
const MAX_BOX_CHARS = 1_500;
/** A name on what holds most of the page says nothing of a box. */
const MAX_BOX_SHARE = 0.5;
const NAMED = /(?:^|[\s_-])(?:pay-?wall|reg-?wall|subscription-?wall)(?:[\s_-]|$)/i;
const ASKS =
  /\b(?:subscribe|sign in|log in|register|become a (?:member|subscriber))\b.{0,40}\b(?:to (?:continue|read|keep reading|access|unlock))\b|already a subscriber\?/i;
const FRAME_RULES = { byName: "all", keepsRemarks: false, keepsNotes: true } as const;
const INDEX_LINK_SHARE = 0.4;
const MIN_INDEX_CHARS = 300;
const MAX_CONSENT_CHARS = 1_500;
const CONSENT =
  /\b(?:we (?:use|value)|accept(?: all)?|manage)\b.{0,60}\b(?:cookies?|privacy|consent)\b/i;

export interface ExtractRequest {
  readonly source: string;
  readonly url: string;
  readonly mode: TextMode;
  readonly includesHidden: boolean;
  readonly Tokenizer: TokenizerClass;
}

export interface Extraction {
  readonly text: string;
  readonly title: string;
  readonly pageKind: PageKind;
  readonly extractor: "linear" | "body" | "data";
  /** Share of the visible text that was kept, 0 to 1. */
  readonly coverage: number;
  readonly keptChars: number;
  readonly leftChars: number;
  readonly visibleChars: number;
  readonly hiddenChars: number;
  readonly unreadStyleChars: number;
  readonly isCut: boolean;
}

export function extractHtml(request: ExtractRequest): Extraction {
  const page = scanHtml(request.source, request.Tokenizer);
  const measures = measurePage(page, request);
  const sums = sumText(measures, new Int32Array(page.count));
  const finding = findKind(measures, sums);
  if (finding.kind === "script-shell-data" && finding.data.articleBody !== undefined) {
    return tellData({ measures, text: finding.data.articleBody });
  }
  const asked = { measures, sums, finding };
  const chosen = chooseContent(asked);
  const { choice, isIndex } = widenIndex({ ...asked, choice: chosen, kind: finding.kind });
  const written = writeContent({ ...request, measures, choice });
  const pageKind = isIndex ? "index" : judgeText({ ...asked, choice, written });
  return describe({ ...asked, choice, written, pageKind, extractor: "linear" });
}

export function extractBody(request: ExtractRequest): Extraction {
  const page = scanHtml(request.source, request.Tokenizer);
  const measures = measurePage(page, request);
  const sums = sumText(measures, new Int32Array(page.count));
  const finding = findKind(measures, sums);
  const choice = chooseBody({ measures, sums, finding });
  const written = writeContent({ ...request, measures, choice });
  return describe({ measures, sums, choice, written, pageKind: finding.kind, extractor: "body" });
}

interface Widening {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly choice: Choice;
  readonly kind: PageKind;
}

/** What is mostly links is a list of them: it is shown as a whole, and not called an article. */
function widenIndex({ measures, sums, choice, kind }: Widening): {
  choice: Choice;
  isIndex: boolean;
} {
  if (kind !== "article") return { choice, isIndex: kind === "index" };
  const share = linkShareOf(choice);
  if (choice.keptChars < MIN_INDEX_CHARS || share <= INDEX_LINK_SHARE)
    return { choice, isIndex: false };
  const left = stripFrame(measures, sums, FRAME_RULES);
  return { choice: settle({ ...choice, measures, left }), isIndex: true };
}

function linkShareOf({ keptChars, keptLinks }: Choice): number {
  return keptChars === 0 ? 0 : keptLinks / keptChars;
}

interface Judged extends Pick<Widening, "measures" | "sums" | "choice"> {
  readonly finding: KindFinding;
  readonly written: Written;
}

function judgeText({ finding, written, ...asked }: Judged): PageKind {
  const { kind, data } = finding;
  if (kind !== "article") return kind;
  if (data.isPaid || isPaywalled({ ...asked, text: written.text })) return "paywall";
  if (written.text.length < MAX_CONSENT_CHARS && CONSENT.test(written.text)) return "consent-wall";
  return kind;
}

interface Described {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly choice: Choice;
  readonly written: Written;
  readonly pageKind: PageKind;
  readonly extractor: Extraction["extractor"];
}

function describe(described: Described): Extraction {
  const { measures, sums, choice, written, pageKind, extractor } = described;
  const { page, visibleChars, hiddenChars } = measures;
  const { keptChars } = choice;
  const inside = sumText(measures, stripFrame(measures, sums, FRAME_RULES));
  const coverage = visibleChars === 0 ? 0 : Math.min(1, keptChars / visibleChars);
  return {
    text: written.text,
    title: written.heading ?? page.title.replace(/\s+/g, " ").trim(),
    pageKind,
    extractor,
    coverage: Math.round(coverage * 100) / 100,
    keptChars,
    leftChars: Math.max(0, charsIn(measures, inside, 0) - keptChars),
    visibleChars,
    hiddenChars,
    unreadStyleChars: page.unreadStyleChars,
    isCut: written.isCut,
  };
}

function tellData({ measures, text }: { measures: Measures; text: string }): Extraction {
  const { page, visibleChars, hiddenChars } = measures;
  return {
    text: text.trim(),
    title: page.title.replace(/\s+/g, " ").trim(),
    pageKind: "script-shell-data",
    extractor: "data",
    coverage: 1,
    keptChars: text.length,
    leftChars: 0,
    visibleChars,
    hiddenChars,
    unreadStyleChars: page.unreadStyleChars,
    isCut: false,
  };
}

interface Paywalled {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly choice: Choice;
  readonly text: string;
}

function isPaywalled(asked: Paywalled): boolean {
  return ASKS.test(asked.text.slice(-END_CHARS)) || hasBox(asked);
}

function hasBox({ measures, sums, choice }: Paywalled): boolean {
  const { page, dropped } = measures;
  const most = Math.min(MAX_BOX_CHARS, measures.visibleChars * MAX_BOX_SHARE);
  for (let node = 1; node < page.count; node++) {
    if (at(dropped, node) === 1) {
      node = at(page.ends, node) - 1;
      continue;
    }
    if (at(page.tags, node) === TEXT || at(page.refs, node) === -1) continue;
    const chars = charsIn(measures, sums, node);
    if (chars === 0 || chars > most) continue;
    if (NAMED.test(attributesOf(page, node).className ?? "")) return true;
    const isBoxed = at(choice.left, node) === 1 && isInContent({ measures, choice, node });
    if (isBoxed && ASKS.test(lineText(measures, node))) return true;
  }
  return false;
}

function isInContent(asked: {
  readonly measures: Measures;
  readonly choice: Choice;
  readonly node: number;
}): boolean {
  const { measures, choice, node } = asked;
  return choice.region.some((root) => node > root && node < at(measures.page.ends, root));
}
