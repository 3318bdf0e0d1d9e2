// SearXNG: an instance of somebody's own, asked for JSON.

import type { SearchProvider, SearchRequest } from "../../../core/index.js";
import { askForJson } from "../ask-server.js";
import { unreadable } from "../failures.js";
import { field, listOf, textOf } from "../json-fields.js";
import { toPlainText } from "../plain-text.js";
import { withSiteWords } from "../site-words.js";

/** Never used: it is asked only where an address is set. */
const BASE = "http://127.0.0.1:8080";
const PATH = "/search";
const GENERAL = "general";
const PAIRED_TAG = /<(b|i|em|strong|mark|span)(?:\s[^<>]*)?>[^<>]*<\/\1>/i;

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
    const rows = await askFor(request, categories);
    const isBare = rows.length === 0 && categories !== GENERAL;
    const found = isBare ? await askFor(request, GENERAL) : rows;
    const hits = found.map((row) => ({
      title: readText(textOf(row, "title") ?? ""),
      url: textOf(row, "url") ?? "",
      snippet: readText(textOf(row, "content", "description") ?? ""),
      published: textOf(row, "publishedDate", "published"),
    }));
    return { kind: "results", hits };
  },
};

/** Texts of some engines come as markup, most do not: a tag that is never closed is a word. */
function readText(text: string): string {
  return PAIRED_TAG.test(text) ? toPlainText(text) : text;
}

async function askFor(request: SearchRequest, categories: string): Promise<readonly unknown[]> {
  const { query, settings } = request;
  const answer = await askForJson({
    provider: searxng,
    request,
    base: BASE,
    path: PATH,
    search: {
      q: withSiteWords(query),
      format: "json",
      categories,
      language: query.language ?? textOf(settings.options, "language"),
      time_range: query.freshness,
    },
    ...(settings.apiKey === undefined
      ? {}
      : { headers: { authorization: `Bearer ${settings.apiKey}` } }),
    hint: "Its settings must list json under search.formats.",
  });
  const rows = listOf(field(answer, "results"));
  if (rows === undefined) throw unreadable(searxng, { what: "JSON that holds no results" });
  return rows;
}
