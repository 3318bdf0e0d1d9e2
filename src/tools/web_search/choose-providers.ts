// Who is asked: the provider that was chosen and no one else, or those that are set up, in order.

import {
  isToolError,
  type SEARCH_PROVIDER_IDS,
  type SearchProvider,
  ToolError,
} from "../../core/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import { toPrintable } from "../../lib/printable.js";
import { duckduckgo } from "./providers/duckduckgo.js";
import { perplexity } from "./providers/perplexity.js";
import { brave, firecrawl, searxng } from "./providers/result-lists.js";
import {
  readSettings,
  type SearchSettings,
  type SettingsSource,
  type ToolSettings,
} from "./settings.js";

const BY_ID = { brave, perplexity, firecrawl, searxng, duckduckgo } satisfies Record<
  BuiltInId,
  SearchProvider
>;

const PAGE = "docs/web_search.md";
export const SETUP_COMMAND = "clawtools configure --section web";

export interface Candidate {
  readonly provider: SearchProvider;
  readonly settings: SearchSettings;
}

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

function variablesOf({ needs, keyVariables = [], addressVariable }: SearchProvider) {
  if (needs === "key") return keyVariables;
  return addressVariable === undefined ? [] : [addressVariable];
}

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

export interface SearchSetup {
  readonly isReady: boolean;
  readonly summary: string;
  readonly text: string;
}

export function describeSearchSetup(source: SettingsSource): SearchSetup {
  try {
    const names = chooseProviders(readSettings(source), []).map(({ provider }) => provider.label);
    const summary = `asks ${names.join(", then ")}`;
    return { isReady: true, summary, text: `It ${summary}.` };
  } catch (error) {
    if (!isToolError(error)) throw error;
    const { message, reason } = error;
    const isReady = reason === "search_provider_unknown";
    return { isReady, summary: `no one to ask yet: run ${SETUP_COMMAND}`, text: message };
  }
}
