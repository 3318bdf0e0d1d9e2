// DuckDuckGo without a key: the page that it gives to browsers without scripts.

import type { SearchProvider, SearchQuery } from "../../../core/index.js";
import { askServer } from "../ask-server.js";
import { botCheck, unreadable } from "../failures.js";
import { textOf } from "../json-fields.js";
import { withSiteWords } from "../site-words.js";
import { readResultPage } from "./duckduckgo-page.js";

const BASE = "https://html.duckduckgo.com";
const PATH = "/html/";
const AGES = { day: "d", week: "w", month: "m", year: "y" } as const;
const SAFE_SEARCH: Readonly<Record<string, string>> = { strict: "1", moderate: "-1", off: "-2" };
const HEADERS = {
  accept: "text/html",
  "accept-language": "en-US,en;q=0.9",
  "user-agent": "Mozilla/5.0 (compatible; clawtools)",
};
const BEGINNING = "1970-01-01";

export const duckduckgo: SearchProvider = {
  id: "duckduckgo",
  label: "DuckDuckGo",
  needs: "nothing",
  requestsPerSecond: 0.5,
  burst: 2,
  filters: () => ["country", "freshness", "dates", "domains"],
  async search(request) {
    const { query, settings, nowMs } = request;
    const { text, status } = await askServer({
      provider: duckduckgo,
      request,
      base: BASE,
      path: PATH,
      headers: HEADERS,
      search: {
        q: withSiteWords(query),
        kl: toRegion(query) ?? textOf(settings.options, "region"),
        kp: SAFE_SEARCH[textOf(settings.options, "safeSearch") ?? ""],
        df: toDates(query, nowMs),
      },
    });
    const page = readResultPage(text);
    if (page.kind === "bot-check" || status === 202) throw botCheck(duckduckgo);
    if (page.kind === "unknown")
      throw unreadable(duckduckgo, { what: "a page that holds no results" });
    return { kind: "results", hits: page.hits };
  },
};

/** Country first, such as `de-de`; the language of its results goes with the country. */
function toRegion({ country, language }: SearchQuery): string | undefined {
  if (country === undefined) return undefined;
  if (country === "ALL") return "wt-wt";
  return `${country.toLowerCase()}-${language?.slice(0, 2) ?? languageOf(country)}`;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  AR: "es",
  AT: "de",
  BR: "pt",
  CH: "de",
  CL: "es",
  CN: "zh",
  CO: "es",
  CZ: "cs",
  DK: "da",
  JP: "jp",
  KR: "kr",
  MX: "es",
  SE: "sv",
  TW: "tzh",
  UA: "uk",
};
const ENGLISH = ["US", "AU", "CA", "IE", "IN", "NZ", "SG", "ZA", "PH", "MY", "IL", "PK"];

function languageOf(country: string): string {
  if (country === "GB" || ENGLISH.includes(country)) return "en";
  return LANGUAGES[country] ?? country.toLowerCase();
}

function toDates(query: SearchQuery, nowMs: number): string | undefined {
  const { freshness, dateAfter, dateBefore } = query;
  if (freshness !== undefined) return AGES[freshness];
  if (dateAfter === undefined && dateBefore === undefined) return undefined;
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return `${dateAfter ?? BEGINNING}..${dateBefore ?? today}`;
}
