// Searches through the provider that was chosen, or the first that is set up and answers; what was
// found lately comes from memory.

import {
  clampOption,
  isToolError,
  type Net,
  neutralizeText,
  type SearchAnswer,
  type SearchCitation,
  type SearchFilter,
  type SearchHit,
  type SearchQuery,
  ToolError,
} from "../../core/index.js";
import { cutChars } from "../../lib/unicode-text.js";
import { askProvider, memoryOf } from "./ask-provider.js";
import { type Candidate, chooseProviders } from "./choose-providers.js";
import type { WebSearchCall } from "./index.js";
import { readQuery } from "./read-query.js";
import {
  MAX_CITATIONS,
  MAX_CONTENT_CHARS,
  MAX_RESULTS,
  MAX_SNIPPET_CHARS,
  MAX_TITLE_CHARS,
  MAX_URL_CHARS,
  readSettings,
  type ToolSettings,
} from "./settings.js";
import { showAnswer } from "./show.js";

const DAY = /^\d{4}-\d{2}-\d{2}/;
const SPARE = 4;
/** After these another provider may know more; a refusal of ours holds for all of them. */
const PASSING_CODES = ["unavailable", "timeout", "failed", "limit"];

interface Searching {
  readonly call: WebSearchCall;
  readonly net: Net;
  readonly settings: ToolSettings;
  readonly query: SearchQuery;
}

interface Failure {
  readonly candidate: Candidate;
  readonly error: ToolError;
}

interface Found {
  readonly answer: SearchAnswer;
  readonly isCached: boolean;
}

export async function execute(call: WebSearchCall) {
  const { params, ctx } = call;
  const { net, config, environment, searchProviders = [], clock } = ctx;
  if (net === undefined) throw noNet();
  const settings = readSettings({ config, environment });
  if (!settings.isEnabled) throw turnedOff();
  const count = clampOption(params.count, { name: "count", least: 1, most: MAX_RESULTS });
  const query = readQuery(params, { count: count.value ?? settings.maxResults });
  const startMs = clock.now();
  const failures: Failure[] = [];
  for (const candidate of chooseProviders(settings, searchProviders)) {
    try {
      const found = await find({ call, net, settings, query }, candidate);
      return showAnswer({
        ...{ provider: candidate.provider, query, ...found },
        ignored: findIgnored(query, candidate),
        notes: count.notes,
        failed: failures.map(describeFailure),
        tookMs: clock.now() - startMs,
        maxChars: ctx.limits.resultChars,
      });
    } catch (error) {
      if (call.signal.aborted || !isToolError(error) || !PASSING_CODES.includes(error.code)) {
        throw error;
      }
      failures.push({ candidate, error });
    }
  }
  throw toWholeError(failures);
}

async function find(searching: Searching, candidate: Candidate): Promise<Found> {
  const { call, net, settings, query } = searching;
  const { clock } = call.ctx;
  const memory = memoryOf(net);
  const { provider } = candidate;
  const key = JSON.stringify([provider.id, candidate.settings.baseUrl ?? "", query]);
  const kept = memory.answers.read(key, { nowMs: clock.now(), maxAgeMs: settings.cacheMs });
  if (kept !== undefined) return { answer: kept, isCached: true };
  const { timeoutMs } = settings;
  const { signal } = call;
  const given = await askProvider({ candidate, clock, query, net, timeoutMs, signal });
  const answer = shapeAnswer(given, query);
  if (settings.cacheMs > 0) memory.answers.write(key, { value: answer, nowMs: clock.now() });
  return { answer, isCached: false };
}

function findIgnored(query: SearchQuery, { provider, settings }: Candidate): SearchFilter[] {
  const known = provider.filters(settings);
  const asked = {
    country: query.country,
    language: query.language,
    uiLanguage: query.uiLanguage,
    freshness: query.freshness,
    dates: query.dateAfter ?? query.dateBefore,
    domains: query.includeDomains ?? query.excludeDomains,
  } satisfies Record<SearchFilter, unknown>;
  // The keys are those of the literal above.
  const names = Object.keys(asked) as SearchFilter[];
  return names.filter((name) => asked[name] !== undefined && !known.includes(name));
}

function describeFailure({ candidate, error }: Failure) {
  const { id, label } = candidate.provider;
  return { provider: id, label, reason: error.reason ?? error.code };
}

/** The first is what the person set up before all others, so its error is the one to fix. */
function toWholeError(failures: readonly Failure[]): ToolError {
  const [first, ...others] = failures;
  if (first === undefined) throw new ToolError("internal", "No provider of web search was asked.");
  if (others.length === 0) return first.error;
  const { code, message, reason, details } = first.error;
  const tried = failures.map(describeFailure);
  const rest = tried.slice(1).map((one) => `${one.label} (${one.reason})`);
  return new ToolError(code, `${message} Also asked, and failed: ${rest.join(", ")}.`, {
    ...(reason === undefined ? {} : { reason }),
    details: { ...details, failed: tried },
    cause: first.error,
  });
}

function noNet(): ToolError {
  return new ToolError(
    "unavailable",
    "web_search needs net in the context, the port to the network; pass one when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["net"] } },
  );
}

function turnedOff(): ToolError {
  return new ToolError("denied", "web_search is turned off by tools.web.search.enabled.", {
    reason: "tool_disabled",
  });
}

function shapeAnswer(answer: SearchAnswer, query: SearchQuery): SearchAnswer {
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
  const line = neutralizeText(cut)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= maxChars ? line : `${cutChars(line, maxChars - 1)}…`;
}

function cutText(text: string): string {
  return text.length <= MAX_CONTENT_CHARS ? text : `${cutChars(text, MAX_CONTENT_CHARS - 1)}…`;
}
