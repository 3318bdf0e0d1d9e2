// `tools.web.fetch` of the configuration as this tool uses it. What is absent or of another type has
// its default; the configuration was checked where it was loaded.

import type { Environment } from "../../core/index.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";

const MS_A_MINUTE = 60_000;
const KEY_VARIABLE = "FIRECRAWL_API_KEY";

export interface FirecrawlSettings {
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
  readonly onlyMainContent: boolean;
  readonly maxAgeMs: number | undefined;
  readonly timeoutMs: number;
}

export interface FetchSettings {
  readonly isEnabled: boolean;
  readonly maxChars: number;
  readonly maxCharsCap: number;
  readonly maxResponseBytes: number;
  readonly maxRedirects: number;
  readonly timeoutMs: number;
  readonly cacheMs: number;
  readonly userAgent: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly takesMainPart: boolean;
  readonly firecrawl: FirecrawlSettings | undefined;
}

export function readSettings(config: unknown, environment?: Environment): FetchSettings {
  const found = ["tools", "web", "fetch"].reduce<unknown>(readField, config);
  const number = (key: string, fallback: number) => readNumber(found, key) ?? fallback;
  return {
    isEnabled: readField(found, "enabled") !== false,
    maxChars: number("maxChars", DEFAULT_MAX_CHARS),
    maxCharsCap: number("maxCharsCap", DEFAULT_MAX_CHARS),
    maxResponseBytes: number("maxResponseBytes", DEFAULT_MAX_RESPONSE_BYTES),
    maxRedirects: number("maxRedirects", DEFAULT_MAX_REDIRECTS),
    timeoutMs: number("timeoutSeconds", DEFAULT_TIMEOUT_SECONDS) * 1_000,
    cacheMs: number("cacheTtlMinutes", DEFAULT_CACHE_MINUTES) * MS_A_MINUTE,
    userAgent: readText(found, "userAgent") || undefined,
    headers: readHeaders(readField(found, "headers")),
    takesMainPart: readField(found, "readability") !== false,
    firecrawl: readFirecrawl(readField(found, "firecrawl"), environment),
  };
}

/** Asked when there is a key, unless it is turned off. */
function readFirecrawl(
  found: unknown,
  environment: Environment | undefined,
): FirecrawlSettings | undefined {
  const baseUrl = readText(found, "baseUrl") || undefined;
  // A key of the environment goes to the service it is for, and to no other address.
  const ownKey = baseUrl === undefined ? environment?.read(KEY_VARIABLE) : undefined;
  const apiKey = readText(found, "apiKey") || ownKey;
  if (readField(found, "enabled") === false || apiKey === undefined) return undefined;
  return {
    apiKey,
    baseUrl,
    onlyMainContent: readField(found, "onlyMainContent") !== false,
    maxAgeMs: readNumber(found, "maxAgeMs"),
    timeoutMs: (readNumber(found, "timeoutSeconds") ?? DEFAULT_TIMEOUT_SECONDS) * 1_000,
  };
}

function readHeaders(found: unknown): Readonly<Record<string, string>> {
  if (typeof found !== "object" || found === null) return {};
  const sound = Object.entries(found).filter(
    ([name, value]) => typeof value === "string" && !/[\r\n\0]/.test(name + value),
  );
  return Object.fromEntries(sound);
}

export const DEFAULT_MAX_CHARS = 50_000;
export const MIN_MAX_CHARS = 100;
export const DEFAULT_MAX_RESPONSE_BYTES = 5_000_000;
export const DEFAULT_MAX_REDIRECTS = 3;
export const DEFAULT_TIMEOUT_SECONDS = 30;
export const DEFAULT_CACHE_MINUTES = 15;
export const MAX_KEPT_CHARS = 2_000_000;
