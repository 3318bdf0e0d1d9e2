// Firecrawl: the search of its API, also of one that runs elsewhere.

import type { SearchProvider, SearchQuery } from "../../../core/index.js";
import { askForJson } from "../ask-server.js";
import { unreadable } from "../failures.js";
import { field, listOf, textOf } from "../json-fields.js";
import { withSiteWords } from "../site-words.js";

const BASE = "https://api.firecrawl.dev";
const PATH = "/v2/search";
const AGES = { day: "qdr:d", week: "qdr:w", month: "qdr:m", year: "qdr:y" } as const;

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
    const { query, settings, timeoutMs } = request;
    const answer = await askForJson({
      provider: firecrawl,
      request,
      base: BASE,
      path: PATH,
      ...(settings.apiKey === undefined
        ? {}
        : { headers: { authorization: `Bearer ${settings.apiKey}` } }),
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
    if (rows === undefined && !isEmpty)
      throw unreadable(firecrawl, { what: "JSON that holds no results" });
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
  const tbs = freshness === undefined ? toDates(query) : AGES[freshness];
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
