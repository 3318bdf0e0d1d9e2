// The port of web search providers: what they are asked and what they answer.

import type { Net } from "./net.js";

/** Plain text, not cleaned and not bounded: anyone who asked does that. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet?: string | undefined;
  /** Shown when it begins like `2026-01-31`. */
  readonly published?: string | undefined;
}

export interface SearchCitation {
  readonly url: string;
  readonly title?: string | undefined;
}

export type SearchAnswer =
  | { readonly kind: "results"; readonly hits: readonly SearchHit[] }
  | {
      readonly kind: "answer";
      readonly content: string;
      readonly citations: readonly SearchCitation[];
      readonly model?: string | undefined;
    };

export type SearchFilter =
  | "country"
  | "language"
  | "uiLanguage"
  | "freshness"
  | "dates"
  | "domains";

export interface SearchQuery {
  readonly text: string;
  /** 1 to 10. */
  readonly count: number;
  /** Two capital letters, or `ALL`. */
  readonly country?: string;
  /** Such as `de`, or `zh-hant`. */
  readonly language?: string;
  /** With a region, such as `de-DE`. */
  readonly uiLanguage?: string;
  /** Never together with dates. */
  readonly freshness?: "day" | "week" | "month" | "year";
  /** `YYYY-MM-DD`, as the next. */
  readonly dateAfter?: string;
  readonly dateBefore?: string;
  /** Never both; names in small letters. Hits of other domains are left out by anyone who asked. */
  readonly includeDomains?: readonly string[];
  readonly excludeDomains?: readonly string[];
}

interface SearchSettings {
  readonly apiKey: string | undefined;
  /** Where in the environment the key was found; undefined for one of the configuration. */
  readonly keyVariable?: string | undefined;
  /** Set by a person, and so trusted; undefined: the provider's own. */
  readonly baseUrl: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface SearchRequest {
  readonly query: SearchQuery;
  readonly settings: SearchSettings;
  readonly net: Net;
  readonly nowMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Those of this package, in the order in which one is chosen; no plugin can take their names. */
export const SEARCH_PROVIDER_IDS = [
  "brave",
  "perplexity",
  "firecrawl",
  "searxng",
  "duckduckgo",
] as const;

export interface SearchProvider {
  /** Small letters, digits and `-`; also its section in the configuration. */
  readonly id: string;
  /** As people call it. */
  readonly label: string;
  /** What must be set. One that needs nothing is asked only when it is chosen. */
  readonly needs: "key" | "address" | "nothing";
  /** Where in the environment a key is looked for, in this order. */
  readonly keyVariables?: readonly string[];
  readonly addressVariable?: string;
  /** Where a key is had. */
  readonly home?: string;
  /** Default 1 each. */
  readonly requestsPerSecond?: number;
  readonly burst?: number;
  /** What it can be asked for; the rest is reported as not applied. */
  filters(settings: SearchRequest["settings"]): readonly SearchFilter[];
  /** Rejects with a ToolError. */
  search(request: SearchRequest): Promise<SearchAnswer>;
}
