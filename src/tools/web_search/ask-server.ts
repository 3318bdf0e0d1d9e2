// One request to the server of a provider and its answer, whole and within limits. Redirects are not
// followed, so that a key and a trusted address stay where they are.

import type { NetRequest, SearchProvider, SearchRequest } from "../../core/index.js";
import { toEndpoint } from "./address.js";
import { tooLarge, toStatusError, unreadable } from "./failures.js";
import { MAX_ANSWER_BYTES } from "./limits.js";

const SECONDS = /^\d+(?:\.\d+)?$/;

/** A plain number is never a date, and only the three forms of RFC 9110 begin with a weekday. */
const DATE = /^[A-Z][a-z]{2,8},? /;

/** A longer rest is meant for good, or by mistake: after a day it is asked again. */
const MAX_REST_MS = 86_400_000;

/** Anyone who wants a rest, and says unreadably how long. */
const UNREADABLE_REST_MS = 60_000;

export interface ServerRequest {
  readonly provider: SearchProvider;
  readonly request: SearchRequest;
  /** Where the provider is when no address is configured. */
  readonly base: string;
  readonly path: string;
  /** What is undefined is left out. */
  readonly search?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Said when the provider refuses, or gives no JSON. */
  readonly hint?: string;
}

export interface ServerAnswer {
  readonly status: number;
  readonly text: string;
}

/** Throws for a status that is not success, and for an answer that is too large. */
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

/** Milliseconds from now, never negative; undefined without the header. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (text === "") return undefined;
  const timeMs = DATE.test(text) ? Date.parse(text) : Number.NaN;
  const restMs = SECONDS.test(text) ? Number(text) * 1_000 : timeMs - nowMs;
  return Number.isNaN(restMs) ? UNREADABLE_REST_MS : Math.min(MAX_REST_MS, Math.max(0, restMs));
}
