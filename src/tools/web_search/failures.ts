// What goes wrong with a provider, in our words: nothing that it wrote itself is shown, and never a
// key.

import { type SearchProvider, ToolError } from "../../core/index.js";

const UNAUTHORIZED = [401, 403];
const PAYMENT_REQUIRED = 402;
const TOO_MANY_REQUESTS = 429;
const UNREACHED = ["connection_failed", "name_not_found", "net_timeout"];

interface Refusal {
  readonly provider: SearchProvider;
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly hasKey: boolean;
  readonly hint?: string | undefined;
}

export function toStatusError(refusal: Refusal): ToolError {
  const { provider, status, retryAfterMs } = refusal;
  const { label } = provider;
  const details = { provider: provider.id, httpStatus: status };
  if (status === TOO_MANY_REQUESTS || (status === 503 && retryAfterMs !== undefined)) {
    return rateLimited(provider, { status, retryAfterMs });
  }
  if (UNAUTHORIZED.includes(status)) {
    return new ToolError("unavailable", describeRefusal(refusal), {
      reason: refusal.hasKey ? "search_key_refused" : "search_refused",
      details,
    });
  }
  if (status === PAYMENT_REQUIRED) {
    const message = `${label} says that this key has nothing left to spend (status ${status}); look at its account.`;
    return new ToolError("limit", message, { reason: "search_quota_spent", details });
  }
  if (status >= 300 && status < 400) {
    const message = `${label} answered with a redirect (status ${status}), which is not followed; set tools.web.search.${provider.id}.baseUrl to the address it leads to.`;
    return new ToolError("failed", message, { reason: "search_redirected", details });
  }
  const isDown = status >= 500;
  return new ToolError(
    isDown ? "unavailable" : "failed",
    `${label} answered with status ${status}; ${isDown ? "try again later" : "it did not take this search"}.`,
    { reason: isDown ? "search_unavailable" : "search_failed", details },
  );
}

export function rateLimited(
  provider: SearchProvider,
  facts: { readonly status?: number; readonly retryAfterMs: number | undefined },
): ToolError {
  const { status, retryAfterMs } = facts;
  const when =
    retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1_000)} seconds`;
  const code = status === undefined ? "" : ` (status ${status})`;
  return new ToolError(
    "limit",
    `${provider.label} takes no more searches now${code}; try ${when}.`,
    {
      reason: "search_rate_limited",
      details: {
        provider: provider.id,
        ...(status === undefined ? {} : { httpStatus: status }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      },
    },
  );
}

export interface Unreadable {
  readonly what: string;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

export function unreadable(provider: SearchProvider, { what, hint, cause }: Unreadable): ToolError {
  const more = hint === undefined ? "" : ` ${hint}`;
  return new ToolError("failed", `${provider.label} answered with ${what}.${more}`, {
    reason: "search_answer_unreadable",
    details: { provider: provider.id },
    cause,
  });
}

export function notReached(
  provider: SearchProvider,
  { error, baseUrl }: { readonly error: ToolError; readonly baseUrl: string | undefined },
): ToolError {
  const { code, message, reason, details } = error;
  if (reason === undefined || !UNREACHED.includes(reason)) return error;
  const { id, label, addressVariable } = provider;
  const keys = [`tools.web.search.${id}.baseUrl`, addressVariable].filter(Boolean).join(" or ");
  const advice =
    baseUrl === undefined
      ? "Try again later, or set up another provider."
      : `Check that it runs, and that its address in ${keys} is right.`;
  return new ToolError(code, `${label} was not reached. ${message} ${advice}`, {
    reason,
    details: { ...details, provider: id },
    cause: error,
  });
}

export function tooLarge(provider: SearchProvider, maxBytes: number): ToolError {
  return new ToolError(
    "limit",
    `${provider.label} answered with more than ${maxBytes} bytes, which were not read.`,
    { reason: "search_answer_too_large", details: { provider: provider.id } },
  );
}

/** What a plugin throws by accident is kept as the cause and not shown. */
export function providerThrew(provider: SearchProvider, cause: unknown): ToolError {
  return new ToolError("failed", `${provider.label} broke while it searched.`, {
    reason: "search_provider_threw",
    details: { provider: provider.id },
    cause,
  });
}

export function botCheck(provider: SearchProvider): ToolError {
  return new ToolError(
    "unavailable",
    `${provider.label} asks whether this is a robot and gives no results; wait some minutes, or set up another provider.`,
    { reason: "search_bot_check", details: { provider: provider.id } },
  );
}

function describeRefusal({ provider, status, hasKey, hint }: Refusal): string {
  const { id, label, keyVariables = [] } = provider;
  const more = hint === undefined ? "" : ` ${hint}`;
  if (hasKey) {
    const places = [...keyVariables, `tools.web.search.${id}.apiKey`].join(" or ");
    return `${label} does not take the key (status ${status}); check ${places}.${more}`;
  }
  const why =
    keyVariables.length === 0
      ? "check tools.web.search."
      : `it may want a key: a key of the environment is not sent to an address of your own, so set tools.web.search.`;
  const key = keyVariables.length === 0 ? `${id}.baseUrl` : `${id}.apiKey`;
  return `${label} refuses to search (status ${status}); ${why}${key}.${more}`;
}
