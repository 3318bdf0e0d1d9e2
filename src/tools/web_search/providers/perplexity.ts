// Perplexity: an answer in prose with its sources, by its own API or by OpenRouter.

import type { SearchCitation, SearchProvider, SearchQuery } from "../../../core/index.js";
import { askForJson, field, listOf, textOf } from "../ask-server.js";
import { unreadable } from "../failures.js";
import type { SearchSettings } from "../settings.js";

const PATH = "/chat/completions";
const BASES = {
  direct: "https://api.perplexity.ai",
  openrouter: "https://openrouter.ai/api/v1",
} as const;
const KEY_PREFIX = "pplx-";
const OWN_VARIABLE = "PERPLEXITY_API_KEY";
const OPENROUTER_HOST = /(?:^|\.)openrouter\.ai$/;
/** So is an address of someone's own known to speak like OpenRouter. */
const OPENROUTER_PATH = /\/api\/v1\/?$/;
const DEFAULT_MODEL = "perplexity/sonar-pro";
const MODEL_PREFIX = "perplexity/";

export const perplexity: SearchProvider = {
  id: "perplexity",
  label: "Perplexity",
  needs: "key",
  keyVariables: [OWN_VARIABLE, "OPENROUTER_API_KEY"],
  home: "https://www.perplexity.ai/settings/api",
  requestsPerSecond: 1,
  burst: 5,
  filters: (settings) =>
    wayOf(settings) === "direct" ? ["country", "freshness", "dates", "domains"] : [],
  async search(request) {
    const { query, settings } = request;
    const way = wayOf(settings);
    const model = toModel(settings, way);
    const answer = await askForJson({
      provider: perplexity,
      request,
      base: BASES[way],
      path: PATH,
      headers: {
        ...(settings.apiKey === undefined ? {} : { authorization: `Bearer ${settings.apiKey}` }),
        ...(way === "openrouter" ? { "x-title": "clawtools" } : {}),
      },
      body: {
        model,
        messages: [{ role: "user", content: query.text }],
        ...(way === "direct" ? toFilters(query) : {}),
      },
    });
    const message = field(listOf(field(answer, "choices"))?.[0], "message");
    const content = textOf(message, "content");
    if (content === undefined) throw unreadable(perplexity, { what: "JSON that holds no answer" });
    return { kind: "answer", content, model, citations: readCitations(answer, message) };
  },
};

/** By the key, when no address is configured: that of Perplexity goes to no one else. */
function wayOf({ apiKey, keyVariable, baseUrl }: SearchSettings): keyof typeof BASES {
  if (baseUrl !== undefined) {
    const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
    const isRouter =
      url !== undefined &&
      (OPENROUTER_HOST.test(url.hostname) || OPENROUTER_PATH.test(url.pathname));
    return isRouter ? "openrouter" : "direct";
  }
  const isOwn = keyVariable === OWN_VARIABLE || apiKey?.startsWith(KEY_PREFIX) === true;
  return isOwn ? "direct" : "openrouter";
}

/** Its own API knows its models without the name of the house. */
function toModel({ options }: SearchSettings, way: keyof typeof BASES): string {
  const model = textOf(options, "model") ?? DEFAULT_MODEL;
  return way === "direct" && model.startsWith(MODEL_PREFIX)
    ? model.slice(MODEL_PREFIX.length)
    : model;
}

function toFilters(query: SearchQuery): Record<string, unknown> {
  const { freshness, dateAfter, dateBefore, country } = query;
  const domains = query.includeDomains ?? query.excludeDomains?.map((domain) => `-${domain}`);
  return {
    ...(freshness === undefined ? {} : { search_recency_filter: freshness }),
    ...(dateAfter === undefined ? {} : { search_after_date_filter: toMonthFirst(dateAfter) }),
    ...(dateBefore === undefined ? {} : { search_before_date_filter: toMonthFirst(dateBefore) }),
    ...(domains === undefined ? {} : { search_domain_filter: domains }),
    ...(country === undefined || country === "ALL"
      ? {}
      : { web_search_options: { user_location: { country } } }),
  };
}

/** 2026-01-31 → 1/31/2026. */
function toMonthFirst(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${month}/${day}/${year}`;
}

function readCitations(answer: unknown, message: unknown): readonly SearchCitation[] {
  const titled = (listOf(field(answer, "search_results")) ?? []).map(toCitation);
  const noted = (listOf(field(message, "annotations")) ?? []).map((note) =>
    toCitation(field(note, "url_citation")),
  );
  const plain = (listOf(field(answer, "citations")) ?? []).map((entry) =>
    typeof entry === "string" ? { url: entry } : toCitation(entry),
  );
  return [titled, noted, plain].find((list) => list.length > 0) ?? [];
}

function toCitation(value: unknown): SearchCitation {
  return { url: textOf(value, "url") ?? "", title: textOf(value, "title") };
}
