// The port to a provider of web search, and how it says what it needs. Those of this package and those
// of plugins have the same shape.

import type { SearchAnswer } from "./answer.js";
import type { SearchFilter, SearchRequest } from "./request.js";

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
