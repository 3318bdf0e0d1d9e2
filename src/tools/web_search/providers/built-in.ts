// The providers of this package, in the order in which one is chosen.

import type { SEARCH_PROVIDER_IDS, SearchProvider } from "../../../core/index.js";
import { brave } from "./brave.js";
import { duckduckgo } from "./duckduckgo.js";
import { firecrawl } from "./firecrawl.js";
import { perplexity } from "./perplexity.js";
import { searxng } from "./searxng.js";

type BuiltInId = (typeof SEARCH_PROVIDER_IDS)[number];

const BY_ID = { brave, perplexity, firecrawl, searxng, duckduckgo } satisfies Record<
  BuiltInId,
  SearchProvider
>;

/** Plugins come before an instance of somebody's own. */
export function listProviders(added: readonly SearchProvider[]): readonly SearchProvider[] {
  const own: readonly SearchProvider[] = Object.values(BY_ID);
  const free = added.filter(({ id }) => !Object.hasOwn(BY_ID, id));
  return [
    ...own.filter(({ needs }) => needs === "key"),
    ...free,
    ...own.filter(({ needs }) => needs !== "key"),
  ];
}
