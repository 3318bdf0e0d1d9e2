// Why a provider refused or failed: its status, headers and body as one of the named reasons, with the
// time it asks to wait. No key gets through into the text.

import type { ModelFault, StreamEvent } from "../../core/connector.js";
import { isToolError } from "../../core/index.js";
import { readField, readText } from "../../lib/read-field.js";

const MAX_MESSAGE_CHARS = 500;
const MIN_SECRET_CHARS = 6;
const KEY_SHAPE = /\b(?:sk|pk|rk|gsk|xai|AIza)[-_A-Za-z0-9]{2}[-_*.A-Za-z0-9]{6,}/g;

export type StreamFault = Omit<Extract<StreamEvent, { type: "error" }>, "type">;

interface FaultSource {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Parsed JSON, or the text. */
  readonly body: unknown;
  /** The provider and model, for the text. */
  readonly who: string;
  readonly secrets: readonly string[];
}

const BY_WORDS: readonly (readonly [RegExp, ModelFault])[] = [
  [
    /context[ _-]?(?:length|window)|prompt is too long|maximum context|input token count|too many (?:input )?tokens|exceeds? the (?:model'?s )?(?:maximum|context)|request_too_large/i,
    "context_overflow",
  ],
  [
    /insufficient_quota|credit balance|exceeded your current quota, please check|billing/i,
    "quota_exhausted",
  ],
  [
    /api[_ ]key[_ ]?(?:not valid|invalid)|invalid[_ ](?:x-)?api[_ -]key|incorrect api key|authentication_error|permission_(?:error|denied)|unauthenticated/i,
    "auth_failed",
  ],
  [/model_not_found|model .{0,80}(?:not found|does not exist)|unknown model/i, "model_unknown"],
  [/rate_limit|resource_exhausted|too many requests/i, "rate_limited"],
  [/overloaded|\bUNAVAILABLE\b|at capacity/i, "overloaded"],
  [/content_filter|content_policy|safety/i, "content_refused"],
  [/server_error|api_error|internal/i, "provider_failed"],
];

const BY_STATUS: Readonly<Record<number, ModelFault>> = {
  401: "auth_failed",
  402: "quota_exhausted",
  403: "auth_failed",
  404: "model_unknown",
  408: "provider_failed",
  413: "context_overflow",
  429: "rate_limited",
  503: "overloaded",
  529: "overloaded",
};

/** Statuses that the words of the body may refine; on others only the status counts. */
const REFINED = new Set([400, 403, 404, 413, 422, 429]);

export function readFault({ status, headers = {}, body, who, secrets }: FaultSource): StreamFault {
  const error = findError(body);
  const message = readText(error, "message") ?? (typeof error === "string" ? error : undefined);
  const words = [
    message,
    readText(error, "type"),
    readText(error, "status"),
    readText(error, "code"),
  ];
  const details = JSON.stringify(readField(error, "details") ?? "");
  const reason = toReason(status, `${words.join(" ")} ${details}`);
  const retryAfterMs = readRetryTime(headers, error);
  const shown = message ?? (status === undefined ? "an unknown error" : "no explanation");
  const text = status === undefined ? shown : `HTTP ${status}: ${shown}`;
  return {
    error: hideSecrets(`${who} failed (${reason}): ${text}`, secrets),
    reason,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** What was thrown on the way: by the network port, or by reading. */
export function toThrownFault(
  thrown: unknown,
  { who, secrets, isAnswering }: Pick<FaultSource, "who" | "secrets"> & { isAnswering: boolean },
): StreamFault {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const reason = toThrownReason(thrown, isAnswering);
  return { error: hideSecrets(`${who} failed (${reason}): ${message}`, secrets), reason };
}

/** Removes the secrets themselves and what looks like a key. */
function hideSecrets(text: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
  const plain = hidden.replace(KEY_SHAPE, "***").replace(/\s+/g, " ");
  return plain.length <= MAX_MESSAGE_CHARS ? plain : `${plain.slice(0, MAX_MESSAGE_CHARS)}…`;
}

function toThrownReason(thrown: unknown, isAnswering: boolean): ModelFault {
  if (!isToolError(thrown)) return "provider_failed";
  if (thrown.code === "aborted") return "aborted";
  if (thrown.reason === "stream_stalled") return "stream_stalled";
  if (thrown.code === "limit") return "provider_failed";
  if (isAnswering) return thrown.code === "timeout" ? "stream_stalled" : "stream_cut";
  if (thrown.code === "denied" || thrown.code === "invalid_input") return "request_refused";
  return "connection_failed";
}

/** `{ error: {…} }`, a list of these (Gemini), or the error itself. */
function findError(body: unknown): unknown {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof first === "string") return first.includes("<html") ? undefined : first;
  return readField(first, "error") ?? first;
}

function toReason(status: number | undefined, words: string): ModelFault {
  const byWords = BY_WORDS.find(([pattern]) => pattern.test(words))?.[1];
  if (status === undefined || status < 400) return byWords ?? "provider_failed";
  if (byWords !== undefined && REFINED.has(status)) return byWords;
  return BY_STATUS[status] ?? (status < 500 ? "request_refused" : "provider_failed");
}

function readRetryTime(
  headers: Readonly<Record<string, string>>,
  error: unknown,
): number | undefined {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const after = headers["retry-after"];
  if (after !== undefined) {
    const seconds = Number(after);
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
    const sentAt = Date.parse(headers.date ?? "");
    const now = Number.isNaN(sentAt) ? Date.now() : sentAt;
    const at = Date.parse(after);
    if (!Number.isNaN(at)) return Math.max(0, at - now);
  }
  const details: unknown = readField(error, "details");
  const delays = (Array.isArray(details) ? details : []).map((one) => readText(one, "retryDelay"));
  const delay = /^(\d+(?:\.\d+)?)s$/.exec(delays.find((one) => one !== undefined) ?? "")?.[1];
  return delay === undefined ? undefined : Math.round(Number(delay) * 1000);
}
