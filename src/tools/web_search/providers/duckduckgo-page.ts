// The result page of DuckDuckGo: its hits, or what it says instead. Read tag by tag in one pass; a
// page that is neither hits nor a plain "no results" is never an empty answer.

import type { SearchHit } from "../../../core/index.js";
import { readEntities, toPlainText } from "../plain-text.js";

const BOT_CHECK = /anomaly-modal|anomaly\.js|challenge-form|g-recaptcha|h-captcha/;
const NO_RESULTS = /class="[^"]*\bno-results?\b/;
const CLASS = /\bclass="([^"]*)"/;
const ADDRESS = /\bhref="([^"]*)"/;
const OWN_HOST = /(?:^|\.)duckduckgo\.com$/;
const BASE = "https://duckduckgo.com";

export type ResultPage =
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
  if (!URL.canParse(href, BASE)) return undefined;
  const url = new URL(href, BASE);
  if (!OWN_HOST.test(url.hostname)) return url.href;
  const target = url.searchParams.get("uddg");
  if (target === null || url.pathname !== "/l/") return undefined;
  return target;
}
