// `tools.web.search` of the configuration as this tool uses it, and what the environment adds. What is
// absent or of another type has its default; the configuration was checked where it was loaded.

import type { Environment, SearchProvider, SearchRequest } from "../../core/index.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";

const MS_A_MINUTE = 60_000;
const DEFAULT_KEY_OWNER = "brave";

export type SearchSettings = SearchRequest["settings"];

export interface ToolSettings {
  readonly isEnabled: boolean;
  /** In small letters; undefined: the first that is set up. */
  readonly provider: string | undefined;
  readonly maxResults: number;
  readonly timeoutMs: number;
  readonly cacheMs: number;
  readonly settingsOf: (provider: SearchProvider) => SearchSettings;
}

export interface SettingsSource {
  readonly config: unknown;
  readonly environment: Environment | undefined;
}

export function readSettings({ config, environment }: SettingsSource): ToolSettings {
  const found = ["tools", "web", "search"].reduce<unknown>(readField, config);
  const number = (key: string, fallback: number) => readNumber(found, key) ?? fallback;
  const provider = textAt(found, "provider")?.toLowerCase();
  const keyOwner = provider ?? DEFAULT_KEY_OWNER;
  return {
    isEnabled: readField(found, "enabled") !== false,
    provider: provider === "auto" ? undefined : provider,
    maxResults: Math.min(number("maxResults", DEFAULT_MAX_RESULTS), MAX_RESULTS),
    timeoutMs: number("timeoutSeconds", DEFAULT_TIMEOUT_SECONDS) * 1_000,
    cacheMs: number("cacheTtlMinutes", DEFAULT_CACHE_MINUTES) * MS_A_MINUTE,
    settingsOf(asked) {
      const own = readField(found, asked.id);
      const shared = asked.id === keyOwner ? textAt(found, "apiKey") : undefined;
      const baseUrl = textAt(own, "baseUrl");
      const written = textAt(own, "apiKey") ?? shared;
      return {
        ...(written === undefined
          ? environmentKey(asked, { environment, baseUrl })
          : { apiKey: written }),
        baseUrl: baseUrl ?? readVariable(environment, asked.addressVariable),
        options: typeof own === "object" && own !== null ? { ...own } : {},
      };
    },
  };
}

/** A key of the environment goes to the provider it is for, and to no other address. */
function environmentKey(
  { keyVariables = [] }: SearchProvider,
  known: { environment: Environment | undefined; baseUrl: string | undefined },
): Pick<SearchSettings, "apiKey" | "keyVariable"> {
  const { environment, baseUrl } = known;
  const keyVariable =
    baseUrl === undefined
      ? keyVariables.find((name) => readVariable(environment, name) !== undefined)
      : undefined;
  return { apiKey: readVariable(environment, keyVariable), keyVariable };
}

function readVariable(environment: Environment | undefined, name: string | undefined) {
  return name === undefined ? undefined : environment?.read(name);
}

function textAt(value: unknown, key: string): string | undefined {
  return readText(value, key)?.trim() || undefined;
}

export const DEFAULT_MAX_RESULTS = 5;
export const MAX_RESULTS = 10;
export const DEFAULT_TIMEOUT_SECONDS = 30;
export const DEFAULT_CACHE_MINUTES = 15;
export const MAX_ANSWER_BYTES = 2_000_000;
export const MAX_QUERY_CHARS = 1_000;
export const MAX_TITLE_CHARS = 300;
export const MAX_SNIPPET_CHARS = 600;
export const MAX_URL_CHARS = 2_048;
export const MAX_CONTENT_CHARS = 20_000;
export const MAX_CITATIONS = 20;
