// DuckDuckGo without a key: the page that it gives to browsers without scripts.

import type { SearchHit, SearchProvider, SearchQuery } from "../../../core/index.js";
import {
  askServer,
  readEntities,
  textOf,
  toDateRange,
  toPlainText,
  withSiteWords,
} from "../ask-server.js";
import { botCheck, unreadable } from "../failures.js";

const BASE = "https://html.duckduckgo.com";
const PATH = "/html/";
const AGES = { day: "d", week: "w", month: "m", year: "y" } as const;
const SAFE_SEARCH: Readonly<Record<string, string>> = { strict: "1", moderate: "-1", off: "-2" };
const HEADERS = {
  accept: "text/html",
  "accept-language": "en-US,en;q=0.9",
  "user-agent": "Mozilla/5.0 (compatible; clawtools)",
};

export const duckduckgo: SearchProvider = {
  id: "duckduckgo",
  label: "DuckDuckGo",
  needs: "nothing",
  requestsPerSecond: 0.5,
  burst: 2,
  filters: () => ["country", "freshness", "dates", "domains"],
  async search(request) {
    const { query, settings } = request;
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
        df: query.freshness ? AGES[query.freshness] : toDateRange(query, request)?.join(".."),
      },
    });
    const page = readResultPage(text);
    if (page.kind === "bot-check" || status === 202) throw botCheck(duckduckgo);
    if (page.kind === "unknown")
      throw unreadable(duckduckgo, { what: "a page that holds no results" });
    return { kind: "results", hits: page.hits };
  },
};

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

const BOT_CHECK = /anomaly-modal|anomaly\.js|challenge-form|g-recaptcha|h-captcha/;
const NO_RESULTS = /class="[^"]*\bno-results?\b/;
const CLASS = /\bclass="([^"]*)"/;
const ADDRESS = /\bhref="([^"]*)"/;
const OWN_HOST = /(?:^|\.)duckduckgo\.com$/;
const LINK_BASE = "https://duckduckgo.com";

type ResultPage =
  | { readonly kind: "hits"; readonly hits: readonly SearchHit[] }
  | { readonly kind: "bot-check" }
  | { readonly kind: "unknown" };

interface Link {
  readonly role: "title" | "snippet";
  readonly href: string;
  readonly text: string;
}

export function readResultPage(html: string): ResultPage {
  const hits: { title: string; url: string; snippet?: string }[] = [];
  let isSkipped = false;
  for (const { role, href, text } of listLinks(html)) {
    if (role === "title") {
      const url = toTarget(href);
      isSkipped = url === undefined;
      if (url !== undefined) hits.push({ title: text, url });
      continue;
    }
    const hit = hits.at(-1);
    if (!isSkipped && hit !== undefined) hit.snippet ??= text;
  }
  if (hits.length > 0) return { kind: "hits", hits };
  if (BOT_CHECK.test(html)) return { kind: "bot-check" };
  return NO_RESULTS.test(html) ? { kind: "hits", hits } : { kind: "unknown" };
}

/** The links of titles and snippets, in their order. A search that fails once is not tried again. */
function* listLinks(html: string): Generator<Link> {
  let at = html.indexOf("<a ");
  while (at >= 0) {
    const end = html.indexOf(">", at);
    if (end < 0) return;
    const tag = html.slice(at, end);
    const role = roleOf(tag);
    if (role !== undefined) {
      const close = html.indexOf("</a>", end);
      if (close < 0) return;
      const href = readEntities(ADDRESS.exec(tag)?.[1] ?? "");
      yield { role, href, text: toPlainText(html.slice(end + 1, close)) };
    }
    at = html.indexOf("<a ", end);
  }
}

function roleOf(tag: string): Link["role"] | undefined {
  const classes = CLASS.exec(tag)?.[1]?.split(/\s+/) ?? [];
  if (classes.includes("result__a")) return "title";
  return classes.includes("result__snippet") ? "snippet" : undefined;
}

/** Behind its own redirect; undefined for an advertisement. */
function toTarget(href: string): string | undefined {
  if (!URL.canParse(href, LINK_BASE)) return undefined;
  const url = new URL(href, LINK_BASE);
  if (!OWN_HOST.test(url.hostname)) return url.href;
  const target = url.searchParams.get("uddg");
  if (target === null || url.pathname !== "/l/") return undefined;
  return target;
}
