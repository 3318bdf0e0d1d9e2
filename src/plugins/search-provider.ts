// A provider of web search as a plugin gives it: plain JavaScript, so its shape is checked here, where
// the plugin can be named.

import type { SearchProvider } from "../core/index.js";
import { isPlainObject } from "./manifest.js";

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;
const NEEDS = ["key", "address", "nothing"];
/** Keys of `tools.web.search` that are not section of a provider. */
const TAKEN = ["enabled", "provider", "auto"];

/** The part of a registry that is used here. */
export interface SearchProviderRegistration {
  register(provider: SearchProvider): void;
  has(id: string): boolean;
  unregister(id: string): boolean;
}

/** undefined: it can be used. Plugins of other programs give other shapes, and are loaded all the same. */
export function findProviderFault(provider: unknown): string | undefined {
  if (!isPlainObject(provider)) return "a search provider must be an object";
  const { id, label, needs, filters, search, requestsPerSecond = 1, burst = 1 } = provider;
  const { keyVariables = [] } = provider;
  if (typeof id !== "string" || !ID.test(id) || TAKEN.includes(id)) {
    return 'a search provider needs an id of small letters, digits and "-"';
  }
  const checks: readonly (readonly [isSound: boolean, what: string])[] = [
    [typeof label === "string" && label !== "", "a label"],
    [NEEDS.some((need) => need === needs), `needs, one of ${NEEDS.join(", ")}`],
    [isTexts(keyVariables), "keyVariables that are a list of texts"],
    [typeof filters === "function", "a filters function"],
    [typeof search === "function", "a search function"],
    [Number(requestsPerSecond) > 0, "requestsPerSecond above 0"],
    [Number(burst) >= 1, "a burst of 1 or more"],
  ];
  const wrong = checks.find(([isSound]) => !isSound);
  return wrong && `the search provider must have ${wrong[1]}`;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
