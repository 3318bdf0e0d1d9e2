// Domains as words of a query, for providers that read such words.

import type { SearchQuery } from "../../core/index.js";

export function withSiteWords(query: SearchQuery): string {
  const { text, includeDomains = [], excludeDomains = [] } = query;
  const kept = includeDomains.map((domain) => `site:${domain}`).join(" OR ");
  const left = excludeDomains.map((domain) => `-site:${domain}`);
  return [text, includeDomains.length > 1 ? `(${kept})` : kept, ...left]
    .filter((word) => word !== "")
    .join(" ");
}
