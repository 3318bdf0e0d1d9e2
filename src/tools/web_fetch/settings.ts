// `tools.web.fetch` of the configuration as this tool uses it. What is absent or of another type has
// its default; the configuration was checked where it was loaded.

import type { Environment } from "../../core/index.js";

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
  /** Take the main part of a page, or all of it. */
  readonly takesMainPart: boolean;
  readonly firecrawl: FirecrawlSettings | undefined;
}

export function readSettings(config: unknown, environment?: Environment): FetchSettings {
  const found = ["tools", "web", "fetch"].reduce<unknown>(part, config);
  const number = (key: string, fallback: number) => {
    const value = part(found, key);
    return typeof value === "number" && Number.isFinite(value) ? value : fallback;
  };
  return {
    isEnabled: part(found, "enabled") !== false,
    maxChars: number("maxChars", DEFAULT_MAX_CHARS),
    maxCharsCap: number("maxCharsCap", DEFAULT_MAX_CHARS),
    maxResponseBytes: number("maxResponseBytes", DEFAULT_MAX_RESPONSE_BYTES),
    maxRedirects: number("maxRedirects", DEFAULT_MAX_REDIRECTS),
    timeoutMs: number("timeoutSeconds", DEFAULT_TIMEOUT_SECONDS) * 1_000,
    cacheMs: number("cacheTtlMinutes", DEFAULT_CACHE_MINUTES) * MS_A_MINUTE,
    userAgent: textAt(found, "userAgent"),
    headers: readHeaders(part(found, "headers")),
    takesMainPart: part(found, "readability") !== false,
    firecrawl: readFirecrawl(part(found, "firecrawl"), environment),
  };
}

/** Asked when there is a key, unless it is turned off. */
function readFirecrawl(
  found: unknown,
  environment: Environment | undefined,
): FirecrawlSettings | undefined {
  const baseUrl = textAt(found, "baseUrl");
  // A key of the environment goes to the service it is for, and to no other address.
  const ownKey = baseUrl === undefined ? environment?.read(KEY_VARIABLE) : undefined;
  const apiKey = textAt(found, "apiKey") ?? ownKey;
  if (part(found, "enabled") === false || apiKey === undefined) return undefined;
  const maxAgeMs = part(found, "maxAgeMs");
  const timeout = part(found, "timeoutSeconds");
  return {
    apiKey,
    baseUrl,
    onlyMainContent: part(found, "onlyMainContent") !== false,
    maxAgeMs: typeof maxAgeMs === "number" ? maxAgeMs : undefined,
    timeoutMs: (typeof timeout === "number" ? timeout : DEFAULT_TIMEOUT_SECONDS) * 1_000,
  };
}

/** Only text, and nothing that would break a request apart. */
function readHeaders(found: unknown): Readonly<Record<string, string>> {
  if (typeof found !== "object" || found === null) return {};
  const sound = Object.entries(found).filter(
    ([name, value]) => typeof value === "string" && !/[\r\n\0]/.test(name + value),
  );
  return Object.fromEntries(sound);
}

function textAt(value: unknown, key: string): string | undefined {
  const text = part(value, key);
  return typeof text === "string" && text !== "" ? text : undefined;
}

function part(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

export const DEFAULT_MAX_CHARS = 50_000;
/** Less would show hardly more than a title. */
export const MIN_MAX_CHARS = 100;
export const DEFAULT_MAX_RESPONSE_BYTES = 5_000_000;
export const DEFAULT_MAX_REDIRECTS = 3;
export const DEFAULT_TIMEOUT_SECONDS = 30;
export const DEFAULT_CACHE_MINUTES = 15;
/** Of one text that is kept for paging. */
export const MAX_KEPT_CHARS = 2_000_000;
