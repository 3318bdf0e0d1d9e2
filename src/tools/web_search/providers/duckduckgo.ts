// DuckDuckGo without a key: the page that it gives to browsers without scripts.

import type { SearchHit, SearchProvider, SearchQuery } from "../../../core/index.js";
import { askServer, textOf, toDateRange, withSiteWords } from "../ask-server.js";
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
    const page = await readResultPage(text);
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

/** Its own names, and countries whose searches are mostly in English. */
const LANGUAGES: Readonly<Record<string, string>> = {
  JP: "jp",
  KR: "kr",
  TW: "tzh",
  IL: "en",
  IN: "en",
  MY: "en",
  PH: "en",
  PK: "en",
};

function languageOf(country: string): string {
  return LANGUAGES[country] ?? new Intl.Locale(`und-${country}`).maximize().language;
}

const BOT_CHECK = /anomaly-modal|anomaly\.js|challenge-form|g-recaptcha|h-captcha/;
const NO_RESULTS = /class="[^"]*\bno-results?\b/;
const OWN_HOST = /(?:^|\.)duckduckgo\.com$/;
const LINK_BASE = "https://duckduckgo.com";

type ResultPage =
  | { readonly kind: "hits"; readonly hits: readonly SearchHit[] }
  | { readonly kind: "bot-check" }
  | { readonly kind: "unknown" };

export async function readResultPage(html: string): Promise<ResultPage> {
  const { Parser } = await import("htmlparser2");
  const hits: { title: string; url: string; snippet?: string }[] = [];
  let link: { readonly role: "title" | "snippet"; readonly href: string } | undefined;
  let text = "";
  let isSkipped = false;
  const parser = new Parser({
    onopentag(name, { class: classes = "", href = "" }) {
      const role = name === "a" ? roleOf(classes) : undefined;
      if (role === undefined) return;
      link = { role, href };
      text = "";
    },
    ontext(piece) {
      text += piece;
    },
    onclosetag(name) {
      if (name !== "a" || link === undefined) return;
      const url = toTarget(link.href);
      const hit = hits.at(-1);
      if (link.role === "title") {
        isSkipped = url === undefined;
        if (url !== undefined) hits.push({ title: text, url });
      } else if (!isSkipped && hit !== undefined) hit.snippet ??= text;
      link = undefined;
    },
  });
  parser.end(html);
  if (hits.length > 0) return { kind: "hits", hits };
  if (BOT_CHECK.test(html)) return { kind: "bot-check" };
  return NO_RESULTS.test(html) ? { kind: "hits", hits } : { kind: "unknown" };
}

function roleOf(classes: string): "title" | "snippet" | undefined {
  const names = classes.split(/\s+/);
  if (names.includes("result__a")) return "title";
  return names.includes("result__snippet") ? "snippet" : undefined;
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
