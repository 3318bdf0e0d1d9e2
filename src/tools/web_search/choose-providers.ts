// Who is asked: the provider that was chosen and nobody else, or those that are set up, in order.

import { type SearchProvider, ToolError } from "../../core/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import { toPrintable } from "../../lib/printable.js";
import { listProviders } from "./providers/built-in.js";
import type { SearchSettings, ToolSettings } from "./settings.js";

const PAGE = "docs/web_search.md";
/** What a person runs. */
export const SETUP_COMMAND = "clawtools configure --section web";

export interface Candidate {
  readonly provider: SearchProvider;
  readonly settings: SearchSettings;
}

/** One at least. Throws `unavailable` with what to set when nobody can be asked. */
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

/** A service without a key sees queries only when somebody chose it. */
function canBeFound(provider: SearchProvider, settings: SearchSettings): boolean {
  return provider.needs !== "nothing" && !isMissing({ provider, settings });
}

/** An address of somebody's own may want no key. */
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
    `tools.web.search.provider: "${toPrintable(name, 80)}" is no provider here; known are ${ids.join(", ")}.${advice}`,
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
