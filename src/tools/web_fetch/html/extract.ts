// One page from HTML to text: scanned, measured, its content chosen and written, with what a reader
// should know about how well that went.

import {
  type Choice,
  type ChoiceRequest,
  chooseBody,
  chooseContent,
  settle,
} from "./content/choose.js";
import { findKind, type PageKind } from "./content/kind.js";
import { stripFrame } from "./content/strip.js";
import { type TextMode, type Written, writeContent } from "./text/markdown.js";
import { lineText } from "./text/plain-text.js";
import { attributesOf, charsIn, measurePage, sumText } from "./tree/measure.js";
import { scanHtml, type TokenizerClass } from "./tree/scan.js";
import { at, TEXT } from "./tree/tags.js";

const END_CHARS = 1_200;
const MAX_BOX_CHARS = 1_500;
/** A name on what holds most of the page says nothing of a box. */
const MAX_BOX_SHARE = 0.5;
const NAMED = /(?:^|[\s_-])(?:pay-?wall|reg-?wall|subscription-?wall)(?:[\s_-]|$)/i;
const ASKS =
  /\b(?:subscribe|sign in|log in|register|become a (?:member|subscriber))\b.{0,40}\b(?:to (?:continue|read|keep reading|access|unlock))\b|already a subscriber\?/i;
const INDEX_LINK_SHARE = 0.4;
const MIN_INDEX_CHARS = 300;
/** With less of the page, the entries that were found are not the whole list. */
const MIN_ENTRIES_SHARE = 0.6;
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
  readonly isCut: boolean;
}

/** The main part of a page. */
export function extractHtml(request: ExtractRequest): Extraction {
  const asked = readPage(request);
  const { measures, finding } = asked;
  const { articleBody } = finding.data;
  if (finding.kind === "script-shell-data" && articleBody !== undefined) {
    const written = { text: articleBody.trim(), heading: undefined, isCut: false };
    const choice = { keptChars: written.text.length, leftChars: 0 };
    return describe({ ...asked, choice, written, pageKind: finding.kind, extractor: "data" });
  }
  const { choice, isIndex } = widenIndex({ ...asked, choice: chooseContent(asked) });
  const written = writeContent({ ...request, measures, choice });
  const pageKind = isIndex ? "index" : judgeText({ ...asked, choice, written });
  return describe({ ...asked, choice, written, pageKind, extractor: "linear" });
}

/** All of a page but menus and footers. */
export function extractBody(request: ExtractRequest): Extraction {
  const asked = readPage(request);
  const { measures, finding } = asked;
  const choice = chooseBody(asked);
  const written = writeContent({ ...request, measures, choice });
  return describe({ ...asked, choice, written, pageKind: finding.kind, extractor: "body" });
}

function readPage(request: ExtractRequest): ChoiceRequest {
  const measures = measurePage(scanHtml(request.source, request.Tokenizer), request);
  const sums = sumText(measures, new Int32Array(measures.page.count));
  return { measures, sums, finding: findKind(measures, sums) };
}

interface Chosen extends ChoiceRequest {
  readonly choice: Choice;
}

/** What is mostly links is a list of them: it is shown as a whole, and not called an article. */
function widenIndex({ measures, sums, finding, choice }: Chosen): {
  choice: Choice;
  isIndex: boolean;
} {
  const { keptChars, keptLinks } = choice;
  const isList = keptChars >= MIN_INDEX_CHARS && keptLinks > keptChars * INDEX_LINK_SHARE;
  const isIndex = finding.kind === "index" || (finding.kind === "article" && isList);
  if (!isIndex) return { choice, isIndex };
  const left = stripFrame(measures, sums, "frame");
  const whole = settle({ measures, region: [0], left });
  return { choice: keptChars < whole.keptChars * MIN_ENTRIES_SHARE ? whole : choice, isIndex };
}

function judgeText({ written, ...asked }: Chosen & { readonly written: Written }): PageKind {
  const { kind, data } = asked.finding;
  if (kind !== "article") return kind;
  const isPaywalled = ASKS.test(written.text.slice(-END_CHARS)) || hasPaywallBox(asked);
  if (data.isPaid || isPaywalled) return "paywall";
  if (written.text.length < MAX_CONSENT_CHARS && CONSENT.test(written.text)) return "consent-wall";
  return kind;
}

interface Described extends ChoiceRequest {
  readonly choice: Pick<Choice, "keptChars" | "leftChars">;
  readonly written: Written;
  readonly pageKind: PageKind;
  readonly extractor: Extraction["extractor"];
}

function describe(described: Described): Extraction {
  const { measures, choice, written, pageKind, extractor } = described;
  const { page, visibleChars, hiddenChars } = measures;
  const { keptChars, leftChars } = choice;
  const coverage = keptChars === 0 ? 0 : Math.min(1, keptChars / visibleChars);
  return {
    text: written.text,
    title: written.heading ?? page.title.replace(/\s+/g, " ").trim(),
    pageKind,
    extractor,
    coverage: Math.round(coverage * 100) / 100,
    keptChars,
    leftChars,
    visibleChars,
    hiddenChars,
    isCut: written.isCut,
  };
}

function hasPaywallBox({ measures, sums, choice }: Chosen): boolean {
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
    const isBoxed =
      at(choice.left, node) === 1 &&
      choice.region.some((root) => node > root && node < at(page.ends, root));
    if (isBoxed && ASKS.test(lineText(measures, node))) return true;
  }
  return false;
}
