// Who is asked: the provider that was chosen and no one else, or those that are set up, in order.

import {
  type SEARCH_PROVIDER_IDS,
  type SearchProvider,
  type SearchRequest,
  ToolError,
} from "../../core/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import { toPrintable } from "../../lib/printable.js";
import { askForJson } from "./ask-server.js";
import { unreadable } from "./failures.js";
import { field, listOf, textOf } from "./json-fields.js";
import { toPlainText } from "./plain-text.js";
import { brave } from "./providers/brave.js";
import { duckduckgo } from "./providers/duckduckgo.js";
import { firecrawl } from "./providers/firecrawl.js";
import { perplexity } from "./providers/perplexity.js";
import type { SearchSettings, ToolSettings } from "./settings.js";
import { withSiteWords } from "./site-words.js";

/** Never used: it is asked only where an address is set. */
const BASE = "http://127.0.0.1:8080";

const PATH = "/search";

const GENERAL = "general";

const PAIRED_TAG = /<(b|i|em|strong|mark|span)(?:\s[^<>]*)?>[^<>]*<\/\1>/i;

const searxng: SearchProvider = {
  id: "searxng",
  label: "SearXNG",
  needs: "address",
  addressVariable: "SEARXNG_BASE_URL",
  home: "https://docs.searxng.org/",
  requestsPerSecond: 5,
  burst: 5,
  filters: () => ["language", "freshness", "domains"],
  async search(request) {
    const categories = textOf(request.settings.options, "categories") ?? GENERAL;
    const rows = await askFor(request, categories);
    const isBare = rows.length === 0 && categories !== GENERAL;
    const found = isBare ? await askFor(request, GENERAL) : rows;
    const hits = found.map((row) => ({
      title: readText(textOf(row, "title") ?? ""),
      url: textOf(row, "url") ?? "",
      snippet: readText(textOf(row, "content", "description") ?? ""),
      published: textOf(row, "publishedDate", "published"),
    }));
    return { kind: "results", hits };
  },
};

const BY_ID = { brave, perplexity, firecrawl, searxng, duckduckgo } satisfies Record<
  BuiltInId,
  SearchProvider
>;

const PAGE = "docs/web_search.md";

/** What a person runs. */
export const SETUP_COMMAND = "clawtools configure --section web";

export interface Candidate {
  readonly provider: SearchProvider;
  readonly settings: SearchSettings;
}

/** One at least. Throws `unavailable` with what to set when no one can be asked. */
export function chooseProviders(
  settings: ToolSettings,
  added: readonly SearchProvider[],
): readonly Candidate[] {
  const known = listProviders(added);
  const all = known.map((provider) => ({ provider, settings: settings.settingsOf(provider) }));
  if (settings.provider === undefined) {
    const ready = all.filter(({ provider, settings: own }) => canBeFound(provider, own));
    if (ready.length === 0) throw notConfigured(known);
    return ready;
  }
  const chosen = all.find(({ provider }) => provider.id.toLowerCase() === settings.provider);
  if (chosen === undefined) throw unknownProvider(settings.provider, known);
  if (isMissing(chosen)) throw notSetUp(chosen.provider);
  return [chosen];
}

/** A service without a key sees queries only when someone chose it. */
function canBeFound(provider: SearchProvider, settings: SearchSettings): boolean {
  return provider.needs !== "nothing" && !isMissing({ provider, settings });
}

/** An address of someone's own may want no key. */
function isMissing({ provider, settings }: Candidate): boolean {
  const { apiKey, baseUrl } = settings;
  if (provider.needs === "nothing" || baseUrl !== undefined) return false;
  return provider.needs === "address" || apiKey === undefined;
}

function notSetUp(provider: SearchProvider): ToolError {
  const { id, label, needs, home } = provider;
  const what = needs === "key" ? "an API key" : "the address of an instance";
  const source = home === undefined ? "" : ` (${needs === "key" ? "get one at" : "see"} ${home})`;
  const variables = variablesOf(provider);
  const places = [SETUP_COMMAND, ...variables, keyOf(provider)].map((place) =>
    place === SETUP_COMMAND ? `run ${place}` : `set ${place}`,
  );
  return new ToolError("unavailable", `${label} needs ${what}${source}: ${oneOf(places)}.`, {
    reason: needs === "key" ? "search_key_missing" : "search_address_missing",
    details: {
      provider: id,
      problem: `missing_${id}_${needs === "key" ? "api_key" : "base_url"}`,
      variables,
      docs: PAGE,
    },
  });
}

function notConfigured(known: readonly SearchProvider[]): ToolError {
  const wanted = known.filter(({ needs }) => needs !== "nothing");
  const lines = wanted.map((provider) => {
    const { label, home } = provider;
    const names = variablesOf(provider);
    const places = names.length > 0 ? names : [keyOf(provider)];
    return `${label} (${oneOf(places)}${home === undefined ? "" : `, ${home}`})`;
  });
  const free = known.filter(({ needs }) => needs === "nothing").map(({ id }) => `"${id}"`);
  return new ToolError(
    "unavailable",
    `No provider of web search is set up. Run ${SETUP_COMMAND}, or set one of these in the environment: ${lines.join("; ")}. Without a key: set tools.web.search.provider to ${oneOf(free)}.`,
    {
      reason: "search_not_configured",
      details: {
        variables: wanted.flatMap(variablesOf),
        docs: PAGE,
      },
    },
  );
}

function unknownProvider(name: string, known: readonly SearchProvider[]): ToolError {
  const ids = known.map(({ id }) => id);
  const near = nearestName(name, ids);
  const advice = near === undefined ? "" : ` Did you mean "${near}"?`;
  return new ToolError(
    "unavailable",
    `tools.web.search.provider: "${toPrintable(name, 80)}" is not a provider here; known are ${ids.join(", ")}.${advice}`,
    { reason: "search_provider_unknown", details: { known: ids } },
  );
}

function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** In the environment. */
function variablesOf({ needs, keyVariables = [], addressVariable }: SearchProvider) {
  if (needs === "key") return keyVariables;
  return addressVariable === undefined ? [] : [addressVariable];
}

/** In the config. */
function keyOf({ id, needs }: SearchProvider): string {
  return `tools.web.search.${id}.${needs === "key" ? "apiKey" : "baseUrl"}`;
}

type BuiltInId = (typeof SEARCH_PROVIDER_IDS)[number];

/** Plugins come before an instance of someone's own. */
export function listProviders(added: readonly SearchProvider[]): readonly SearchProvider[] {
  const own: readonly SearchProvider[] = Object.values(BY_ID);
  const free = added.filter(({ id }) => !Object.hasOwn(BY_ID, id));
  return [
    ...own.filter(({ needs }) => needs === "key"),
    ...free,
    ...own.filter(({ needs }) => needs !== "key"),
  ];
}

/** Texts of some engines come as markup, most do not: a tag that is never closed is a word. */
function readText(text: string): string {
  return PAIRED_TAG.test(text) ? toPlainText(text) : text;
}

async function askFor(request: SearchRequest, categories: string): Promise<readonly unknown[]> {
  const { query, settings } = request;
  const answer = await askForJson({
    provider: searxng,
    request,
    base: BASE,
    path: PATH,
    search: {
      q: withSiteWords(query),
      format: "json",
      categories,
      language: query.language ?? textOf(settings.options, "language"),
      time_range: query.freshness,
    },
    ...(settings.apiKey === undefined
      ? {}
      : { headers: { authorization: `Bearer ${settings.apiKey}` } }),
    hint: "Its settings must list json under search.formats.",
  });
  const rows = listOf(field(answer, "results"));
  if (rows === undefined) throw unreadable(searxng, { what: "JSON that holds no results" });
  return rows;
}
