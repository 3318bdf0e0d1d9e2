// What is shown of an answer: hits one below the other, or prose with its sources; and what of the
// question was not applied. The details have one closed shape for each kind.

import type {
  SearchAnswer,
  SearchFilter,
  SearchHit,
  SearchProvider,
  SearchQuery,
} from "../../core/index.js";
import { cutChars } from "../../lib/unicode-text.js";

const NOTE_CHARS = 600;

export interface FailedProvider {
  readonly provider: string;
  readonly label: string;
  readonly reason: string;
}

export interface Shown {
  readonly provider: SearchProvider;
  readonly query: SearchQuery;
  readonly answer: SearchAnswer;
  readonly ignored: readonly SearchFilter[];
  readonly failed: readonly FailedProvider[];
  readonly notes: readonly string[];
  readonly isCached: boolean;
  readonly tookMs: number;
  readonly maxChars: number;
}

export function showAnswer(shown: Shown) {
  const { provider, query, answer, ignored, failed, isCached, tookMs } = shown;
  const { text, notices } =
    answer.kind === "results" ? listHits(answer.hits, shown) : writeProse(shown, answer);
  return {
    content: [{ type: "text" as const, text }],
    notices: [...writeNotes(shown), ...notices],
    details: {
      ...(answer.kind === "results" ? describeHits(answer.hits) : describeProse(answer)),
      provider: provider.id,
      query: query.text,
      tookMs,
      cached: isCached,
      ...(ignored.length === 0 ? {} : { ignored }),
      ...(failed.length === 0 ? {} : { failed }),
      externalContent: { untrusted: true, source: "web_search", provider: provider.id },
    },
    untrusted: { source: `web_search (${provider.label})` },
  };
}

function writeNotes({ provider, ignored, failed, notes: said }: Shown): string[] {
  const names = ignored.join(", ");
  return [
    ...said,
    ...failed.map(({ label, reason }) => `${label} failed: ${reason}.`),
    ...(names === ""
      ? []
      : [`Not applied, because ${provider.label} has no such filter: ${names}.`]),
  ];
}

interface Body {
  readonly text: string;
  readonly notices: readonly string[];
}

function listHits(hits: readonly SearchHit[], { query, provider, maxChars }: Shown): Body {
  if (hits.length === 0) {
    const text = `${provider.label} found nothing; try other words or fewer filters.`;
    return { text, notices: [] };
  }
  const rows: string[] = [];
  let leftChars = maxChars - NOTE_CHARS;
  for (const [index, { title, url, snippet, published }] of hits.entries()) {
    const text = [published, snippet].filter(Boolean).join(" · ");
    const row = `${index + 1}. ${title}\n   ${url}${text === "" ? "" : `\n   ${text}`}`;
    leftChars -= row.length + 1;
    if (leftChars < 0 && rows.length > 0) break;
    rows.push(row);
  }
  const missing = hits.length - rows.length;
  const rest = `${missing} more are not shown; ask with count: ${rows.length}.`;
  const text = `${provider.label}, "${query.text}":\n${rows.join("\n")}`;
  return { text, notices: missing > 0 ? [rest] : [] };
}

function writeProse(
  { maxChars }: Shown,
  answer: Extract<SearchAnswer, { readonly kind: "answer" }>,
): Body {
  const sources = answer.citations.map(
    ({ url, title }, index) => `[${index + 1}] ${title === undefined ? "" : `${title} `}${url}`,
  );
  const list = sources.length === 0 ? "" : `\n\nSources:\n${sources.join("\n")}`;
  const roomChars = Math.max(0, maxChars - NOTE_CHARS - list.length);
  const isCut = answer.content.length > roomChars;
  const content = isCut ? `${cutChars(answer.content, roomChars)}…` : answer.content;
  return { text: content + list, notices: [] };
}

/** `description` is another name for `snippet`, for programs that know that one. */
function describeHits(hits: readonly SearchHit[]) {
  const results = hits.map(({ title, url, snippet, published }) => ({
    title,
    url,
    ...(snippet === undefined ? {} : { snippet, description: snippet }),
    ...(published === undefined ? {} : { published }),
    siteName: new URL(url).hostname,
  }));
  return { kind: "results" as const, count: results.length, results };
}

function describeProse(answer: Extract<SearchAnswer, { readonly kind: "answer" }>) {
  const { content, citations, model } = answer;
  return { kind: "answer" as const, content, citations, ...(model === undefined ? {} : { model }) };
}
