// Providers that answer with a list of hits: Brave Search, Firecrawl, and an instance of SearXNG.

import type { SearchProvider, SearchQuery, SearchRequest } from "../../../core/index.js";
import {
  askForJson,
  field,
  listOf,
  textOf,
  toDateRange,
  toPlainText,
  withBearer,
  withSiteWords,
} from "../ask-server.js";
import { unreadable } from "../failures.js";

const NO_RESULTS = { what: "JSON that holds no results" };
const BRAVE_AGES = { day: "pd", week: "pw", month: "pm", year: "py" } as const;
/** Where Brave's names of languages differ from others'. */
const BRAVE_LANGUAGES: Readonly<Record<string, string>> = {
  ja: "jp",
  zh: "zh-hans",
  "zh-cn": "zh-hans",
  "zh-tw": "zh-hant",
  pt: "pt-pt",
};
const FIRECRAWL_AGES = { day: "qdr:d", week: "qdr:w", month: "qdr:m", year: "qdr:y" } as const;
const GENERAL = "general";
const PAIRED_TAG = /<(b|i|em|strong|mark|span)(?:\s[^<>]*)?>[^<>]*<\/\1>/i;

export const brave: SearchProvider = {
  id: "brave",
  label: "Brave Search",
  needs: "key",
  keyVariables: ["BRAVE_API_KEY"],
  home: "https://brave.com/search/api/",
  // What the smallest plan allows.
  requestsPerSecond: 1,
  burst: 1,
  filters: () => ["country", "language", "uiLanguage", "freshness", "dates", "domains"],
  async search(request) {
    const { query, settings } = request;
    const { apiKey } = settings;
    const answer = await askForJson({
      provider: brave,
      request,
      base: "https://api.search.brave.com",
      path: "/res/v1/web/search",
      search: {
        q: withSiteWords(query),
        count: String(query.count),
        country: query.country,
        search_lang: query.language && (BRAVE_LANGUAGES[query.language] ?? query.language),
        ui_lang: query.uiLanguage,
        freshness: query.freshness
          ? BRAVE_AGES[query.freshness]
          : toDateRange(query, request)?.join("to"),
      },
      ...(apiKey === undefined ? {} : { headers: { "x-subscription-token": apiKey } }),
    });
    // Brave omits `web` when it found nothing, but still reports the query.
    const rows = listOf(field(answer, "web", "results"));
    const isEmpty = field(answer, "web") === undefined && field(answer, "query") !== undefined;
    if (rows === undefined && !isEmpty) throw unreadable(brave, NO_RESULTS);
    const hits = (rows ?? []).map(async (row) => ({
      title: await toPlainText(textOf(row, "title") ?? ""),
      url: textOf(row, "url") ?? "",
      snippet: await toPlainText(textOf(row, "description") ?? ""),
      published: textOf(row, "page_age", "age"),
    }));
    return { kind: "results", hits: await Promise.all(hits) };
  },
};

export const firecrawl: SearchProvider = {
  id: "firecrawl",
  label: "Firecrawl",
  needs: "key",
  keyVariables: ["FIRECRAWL_API_KEY"],
  home: "https://www.firecrawl.dev/app/api-keys",
  requestsPerSecond: 1,
  burst: 5,
  filters: () => ["country", "freshness", "dates", "domains"],
  async search(request) {
    const { query, timeoutMs } = request;
    const answer = await askForJson({
      provider: firecrawl,
      request,
      base: "https://api.firecrawl.dev",
      path: "/v2/search",
      ...withBearer(request),
      body: {
        query: withSiteWords(query),
        limit: query.count,
        sources: ["web"],
        timeout: timeoutMs,
        ...toFilters(query),
      },
    });
    // The version before gave the list itself.
    const data = field(answer, "data");
    const rows = listOf(field(data, "web")) ?? listOf(data);
    const isEmpty = field(answer, "success") === true && typeof data === "object" && data !== null;
    if (rows === undefined && !isEmpty) throw unreadable(firecrawl, NO_RESULTS);
    const hits = (rows ?? []).map((row) => ({
      title: textOf(row, "title") ?? "",
      url: textOf(row, "url") ?? "",
      snippet: textOf(row, "description", "snippet"),
      published: textOf(row, "date"),
    }));
    return { kind: "results", hits };
  },
};

function toFilters(query: SearchQuery): Record<string, string> {
  const { country, freshness } = query;
  const tbs = freshness === undefined ? toDates(query) : FIRECRAWL_AGES[freshness];
  return {
    ...(country === undefined || country === "ALL" ? {} : { country }),
    ...(tbs === undefined ? {} : { tbs }),
  };
}

function toDates({ dateAfter, dateBefore }: SearchQuery): string | undefined {
  if (dateAfter === undefined && dateBefore === undefined) return undefined;
  const parts = ["cdr:1"];
  if (dateAfter !== undefined) parts.push(`cd_min:${toMonthFirst(dateAfter)}`);
  if (dateBefore !== undefined) parts.push(`cd_max:${toMonthFirst(dateBefore)}`);
  return parts.join(",");
}

function toMonthFirst(date: string): string {
  const [year, month, day] = date.split("-");
  return `${month}/${day}/${year}`;
}

export const searxng: SearchProvider = {
  id: "searxng",
  label: "SearXNG",
  needs: "address",
  addressVariable: "SEARXNG_BASE_URL",
  home: "https://docs.searxng.org/",
  requestsPerSecond: 5,
  burst: 5,
  filters: () => ["language", "freshness", "domains"],
  async search(request) {
    const categories = textOf(request.settings.options, "categories") ?? GENERAL;
    const rows = await askInstance(request, categories);
    const isBare = rows.length === 0 && categories !== GENERAL;
    const found = isBare ? await askInstance(request, GENERAL) : rows;
    const hits = found.map(async (row) => ({
      title: await readText(textOf(row, "title") ?? ""),
      url: textOf(row, "url") ?? "",
      snippet: await readText(textOf(row, "content", "description") ?? ""),
      published: textOf(row, "publishedDate", "published"),
    }));
    return { kind: "results", hits: await Promise.all(hits) };
  },
};

async function askInstance(
  request: SearchRequest,
  categories: string,
): Promise<readonly unknown[]> {
  const { query, settings } = request;
  const answer = await askForJson({
    provider: searxng,
    request,
    // Never used: it is asked only where an address is set.
    base: "http://127.0.0.1:8080",
    path: "/search",
    search: {
      q: withSiteWords(query),
      format: "json",
      categories,
      language: query.language ?? textOf(settings.options, "language"),
      time_range: query.freshness,
    },
    ...withBearer(request),
    hint: "Its settings must list json under search.formats.",
  });
  const rows = listOf(field(answer, "results"));
  if (rows === undefined) throw unreadable(searxng, NO_RESULTS);
  return rows;
}

/** Texts of some engines come as markup, most do not: a tag that is never closed is a word. */
async function readText(text: string): Promise<string> {
  return PAIRED_TAG.test(text) ? toPlainText(text) : text;
}
