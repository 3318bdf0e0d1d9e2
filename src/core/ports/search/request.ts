// What a provider of web search is asked, in one form for all of them.

import type { Net } from "../net.js";

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
