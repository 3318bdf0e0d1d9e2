// One request to the server of a provider and its answer, whole and within limits. Redirects are not
// followed, so that a key and a trusted address stay where they are.

import {
  type NetRequest,
  type SearchProvider,
  type SearchQuery,
  type SearchRequest,
  ToolInputError,
} from "../../core/index.js";
import { findBaseUrlFault } from "../../lib/base-url.js";
import { readField } from "../../lib/read-field.js";
import { tooLarge, toStatusError, unreadable } from "./failures.js";
import { MAX_ANSWER_BYTES, type SearchSettings } from "./settings.js";

const SECONDS = /^\d+(?:\.\d+)?$/;
/** A plain number is never a date, and only the three forms of RFC 9110 begin with a weekday. */
const DATE = /^[A-Z][a-z]{2,8},? /;
const MAX_REST_MS = 86_400_000;
const UNREADABLE_REST_MS = 60_000;

export interface ServerRequest {
  readonly provider: SearchProvider;
  readonly request: SearchRequest;
  readonly base: string;
  readonly path: string;
  readonly search?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly hint?: string;
}

export interface ServerAnswer {
  readonly status: number;
  readonly text: string;
}

export async function askServer(asked: ServerRequest): Promise<ServerAnswer> {
  const { provider, request } = asked;
  const { net, settings, nowMs } = request;
  const { status, headers, body, isCut } = await net.fetch(toNetRequest(asked));
  if (status < 200 || status >= 300) {
    throw toStatusError({
      provider,
      status,
      retryAfterMs: readRetryAfter(headers["retry-after"], nowMs),
      hasKey: settings.apiKey !== undefined,
      hint: asked.hint,
    });
  }
  if (isCut) throw tooLarge(provider, MAX_ANSWER_BYTES);
  return { status, text: new TextDecoder().decode(body) };
}

export async function askForJson(asked: ServerRequest): Promise<unknown> {
  const { text } = await askServer(asked);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { provider, hint } = asked;
    throw unreadable(provider, { what: "something that is not JSON", hint, cause });
  }
}

function toNetRequest(asked: ServerRequest): NetRequest {
  const { request, base, path, search = {}, body, headers } = asked;
  const { settings, timeoutMs, signal } = request;
  const url = toEndpoint(settings.baseUrl ?? base, path);
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return {
    url: url.href,
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    limits: { maxBytes: MAX_ANSWER_BYTES, timeoutMs, maxRedirects: 0 },
    signal,
    ...(settings.baseUrl === undefined ? {} : { alsoAllowedHostnames: [url.hostname] }),
  };
}

export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (text === "") return undefined;
  const timeMs = DATE.test(text) ? Date.parse(text) : Number.NaN;
  const restMs = SECONDS.test(text) ? Number(text) * 1_000 : timeMs - nowMs;
  return Number.isNaN(restMs) ? UNREADABLE_REST_MS : Math.min(MAX_REST_MS, Math.max(0, restMs));
}

/** Throws `invalid_input` for an address that cannot be asked, or would show a key to everybody. */
export function assertAddress({ id }: SearchProvider, { baseUrl }: SearchSettings): void {
  if (baseUrl === undefined) return;
  const fault = findBaseUrlFault(baseUrl, "https://search.example.com");
  if (fault === undefined) return;
  throw new ToolInputError(`tools.web.search.${id}.baseUrl ${fault}`, {
    reason: "search_address_invalid",
  });
}

function toEndpoint(base: string, path: string): URL {
  const url = new URL(base);
  const own = url.pathname.replace(/\/+$/, "");
  if (!`${own}/`.endsWith(path.endsWith("/") ? path : `${path}/`)) url.pathname = own + path;
  url.search = "";
  url.hash = "";
  return url;
}

const BEGINNING = "1970-01-01";

/** From the first day to the last; undefined without dates. */
export function toDateRange(
  { dateAfter, dateBefore }: SearchQuery,
  { nowMs }: Pick<SearchRequest, "nowMs">,
): readonly [from: string, to: string] | undefined {
  if (dateAfter === undefined && dateBefore === undefined) return undefined;
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return [dateAfter ?? BEGINNING, dateBefore ?? today];
}

export function withBearer({ settings: { apiKey } }: SearchRequest) {
  return apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } };
}

export function withSiteWords(query: SearchQuery): string {
  const { text, includeDomains = [], excludeDomains = [] } = query;
  const kept = includeDomains.map((domain) => `site:${domain}`).join(" OR ");
  const left = excludeDomains.map((domain) => `-site:${domain}`);
  return [text, includeDomains.length > 1 ? `(${kept})` : kept, ...left]
    .filter((word) => word !== "")
    .join(" ");
}

export function field(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(readField, value);
}

export function textOf(value: unknown, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = field(value, key);
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return undefined;
}

export function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The text of a piece of HTML. */
export async function toPlainText(markup: string): Promise<string> {
  if (!/[<&]/.test(markup)) return markup;
  const { Parser } = await import("htmlparser2");
  let text = "";
  const parser = new Parser({
    ontext(piece) {
      text += piece;
    },
  });
  parser.end(markup);
  return text;
}
