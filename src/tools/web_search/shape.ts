// An answer as it is kept and shown: text on one line without unseen characters, addresses of the web
// only, everything bounded, nothing from a domain that was not asked for.

import {
  neutralizeText,
  type SearchAnswer,
  type SearchCitation,
  type SearchHit,
  type SearchQuery,
} from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { cutChars } from "../../lib/unicode-text.js";
import {
  MAX_CITATIONS,
  MAX_CONTENT_CHARS,
  MAX_SNIPPET_CHARS,
  MAX_TITLE_CHARS,
  MAX_URL_CHARS,
} from "./limits.js";

const DAY = /^\d{4}-\d{2}-\d{2}/;
/** Nothing unseen, and no sign that a marker or a control token begins with; most text is so. */
const PLAIN = /^(?!.*(?:---|untrusted|detsurtnu))[\w \t\r\n.,:;!?'"()%&$#@*+/-]*$/is;
const UNEVEN = lazy(() => /\s\s|[^\S ]|\p{Cc}/u);
const BLANK = lazy(() => /[\s\p{Cc}]+/gu);
/** Beside what is shown, so that cleaning has something to take from. */
const SPARE = 4;

export function shapeAnswer(answer: SearchAnswer, query: SearchQuery): SearchAnswer {
  if (answer.kind === "results") return { kind: "results", hits: shapeHits(answer.hits, query) };
  const { content, citations, model } = answer;
  return {
    kind: "answer",
    content: cutText(neutralizeText(cutChars(content, MAX_CONTENT_CHARS * SPARE)).trim()),
    citations: shapeCitations(citations),
    ...(model === undefined ? {} : { model: toLine(model, MAX_TITLE_CHARS) }),
  };
}

function shapeHits(hits: readonly SearchHit[], query: SearchQuery): readonly SearchHit[] {
  const shaped = new Map<string, SearchHit>();
  for (const hit of hits) {
    if (shaped.size === query.count) break;
    const url = toWebAddress(hit.url);
    if (url === undefined || shaped.has(url.href) || !isWanted(url.hostname, query)) continue;
    const snippet = toLine(hit.snippet ?? "", MAX_SNIPPET_CHARS);
    const published = DAY.exec(hit.published ?? "")?.[0];
    shaped.set(url.href, {
      title: toLine(hit.title, MAX_TITLE_CHARS) || url.hostname,
      url: url.href,
      ...(snippet === "" ? {} : { snippet }),
      ...(published === undefined ? {} : { published }),
    });
  }
  return [...shaped.values()];
}

function shapeCitations(citations: readonly SearchCitation[]): readonly SearchCitation[] {
  return citations.slice(0, MAX_CITATIONS).flatMap((citation) => {
    const url = toWebAddress(citation.url);
    const title = toLine(citation.title ?? "", MAX_TITLE_CHARS);
    if (url === undefined) return [];
    return [{ url: url.href, ...(title === "" ? {} : { title }) }];
  });
}

function toWebAddress(text: string): URL | undefined {
  if (text.length > MAX_URL_CHARS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === "" && url.password === "" && url.href.length <= MAX_URL_CHARS;
  return isPlain && /^https?:$/.test(url.protocol) ? url : undefined;
}

function isWanted(host: string, { includeDomains, excludeDomains = [] }: SearchQuery): boolean {
  const isIn = (domain: string) => host === domain || host.endsWith(`.${domain}`);
  if (includeDomains !== undefined && !includeDomains.some(isIn)) return false;
  return !excludeDomains.some(isIn);
}

function toLine(text: string, maxChars: number): string {
  const cut = cutChars(text, maxChars * SPARE);
  const seen = PLAIN.test(cut) ? cut : neutralizeText(cut);
  const line = (UNEVEN().test(seen) ? seen.replace(BLANK(), " ") : seen).trim();
  return line.length <= maxChars ? line : `${cutChars(line, maxChars - 1)}…`;
}

function cutText(text: string): string {
  return text.length <= MAX_CONTENT_CHARS ? text : `${cutChars(text, MAX_CONTENT_CHARS - 1)}…`;
}
