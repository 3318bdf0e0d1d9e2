// Brave Search: the web results of its API.

import type { SearchProvider, SearchQuery } from "../../../core/index.js";
import { askForJson } from "../ask-server.js";
import { unreadable } from "../failures.js";
import { field, listOf, textOf } from "../json-fields.js";
import { toPlainText } from "../plain-text.js";
import { withSiteWords } from "../site-words.js";

const BASE = "https://api.search.brave.com";
const PATH = "/res/v1/web/search";
const AGES = { day: "pd", week: "pw", month: "pm", year: "py" } as const;
/** Where its names of languages differ from others'. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ja: "jp",
  zh: "zh-hans",
  "zh-cn": "zh-hans",
  "zh-tw": "zh-hant",
  pt: "pt-pt",
};
const BEGINNING = "1970-01-01";

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
    const { query, settings, nowMs } = request;
    const answer = await askForJson({
      provider: brave,
      request,
      base: BASE,
      path: PATH,
      search: {
        q: withSiteWords(query),
        count: String(query.count),
        country: query.country,
        search_lang: query.language && (LANGUAGES[query.language] ?? query.language),
        ui_lang: query.uiLanguage,
        freshness: toFreshness(query, nowMs),
      },
      ...(settings.apiKey === undefined
        ? {}
        : { headers: { "x-subscription-token": settings.apiKey } }),
    });
    // Brave omits `web` when it found nothing, but still reports the query.
    const rows = listOf(field(answer, "web", "results"));
    const isEmpty = field(answer, "web") === undefined && field(answer, "query") !== undefined;
    if (rows === undefined && !isEmpty)
      throw unreadable(brave, { what: "JSON that holds no results" });
    const hits = (rows ?? []).map((row) => ({
      title: toPlainText(textOf(row, "title") ?? ""),
      url: textOf(row, "url") ?? "",
      snippet: toPlainText(textOf(row, "description") ?? ""),
      published: textOf(row, "page_age", "age"),
    }));
    return { kind: "results", hits };
  },
};

function toFreshness(query: SearchQuery, nowMs: number): string | undefined {
  const { freshness, dateAfter, dateBefore } = query;
  if (freshness !== undefined) return AGES[freshness];
  if (dateAfter === undefined && dateBefore === undefined) return undefined;
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return `${dateAfter ?? BEGINNING}to${dateBefore ?? today}`;
}
