// What goes wrong on the way: bad requests, names, connections, answers, limits.

import { ToolError, ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";

const MAX_URL_CHARS = 200;
/** Words that a server may have chosen, but not made up. */
const KNOWN_SCHEMES = ["file:", "ftp:", "data:", "javascript:", "about:", "blob:", "ws:", "wss:"];
const KNOWN_ENCODINGS = ["zstd", "compress", "dcb", "dcz"];
const SEVERAL = /^[a-z-]{1,16}(?:\s*,\s*[a-z-]{1,16})+$/;

export type UrlFault = "url_invalid" | "scheme_refused" | "userinfo_refused";

export function urlInvalid(text: string): ToolError {
  return new ToolInputError(
    `"${toPrintable(text, MAX_URL_CHARS)}" is not a valid URL; write one such as https://example.com/page.`,
    { reason: "url_invalid" },
  );
}

export function schemeRefused(protocol: string): ToolError {
  return new ToolInputError(
    `"${toPrintable(protocol, MAX_URL_CHARS)}" is not fetched; only http: and https: are.`,
    { reason: "scheme_refused" },
  );
}

export function socketSchemeRefused(url: string): ToolError {
  return new ToolInputError(
    `"${toPrintable(url, MAX_URL_CHARS)}" is not a WebSocket URL; it must begin with ws: or wss:.`,
    { reason: "scheme_refused" },
  );
}

export function handshakeRefused(host: string, status: number): ToolError {
  return new ToolError(
    "failed",
    `"${toPrintable(host)}" refused the WebSocket with HTTP status ${status}.`,
    { reason: "handshake_refused", details: { status } },
  );
}

export function certificateMismatch(host: string, shown: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(host)}" shows another certificate than the pinned one: ${shown}. If the server was set up again, pin that one.`,
    { reason: "certificate_mismatch", details: { fingerprint: shown } },
  );
}

/** The URL is not shown: it holds a password. */
export function userinfoRefused(host: string): ToolError {
  return new ToolInputError(
    `The URL for "${toPrintable(host)}" has a user name or password before the host; leave it out.`,
    { reason: "userinfo_refused" },
  );
}

/** Where it leads is not shown: a server wrote it. `from`: the host that the redirect came from. */
export function redirectUnusable(
  from: string,
  { fault, scheme }: { readonly fault: UrlFault; readonly scheme: string },
): ToolError {
  const what = {
    url_invalid: "to an invalid URL",
    scheme_refused: `to ${KNOWN_SCHEMES.includes(scheme) ? `a ${scheme} address` : "an address of another kind"}, and only http: and https: are fetched`,
    userinfo_refused: "to an address with a user name or password before the host",
  }[fault];
  return new ToolInputError(`A redirect of "${toPrintable(from)}" leads ${what}.`, {
    reason: fault,
  });
}

export function headerInvalid(name: string, why: string): ToolError {
  return new ToolInputError(`The header "${toPrintable(name)}" ${why}.`, {
    reason: "header_invalid",
  });
}

export function requestInvalid(cause: Error): ToolError {
  return new ToolInputError(`The request cannot be sent: ${toPrintable(cause.message)}.`, {
    reason: "header_invalid",
    cause,
  });
}

export function nameNotFound(host: string, cause?: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `"${toPrintable(host)}" has no address; check the name, and whether this machine is online.`,
    { reason: "name_not_found", cause },
  );
}

export function connectionFailed(
  host: string,
  failure: { readonly why: string; readonly cause: unknown },
): ToolError {
  return new ToolError(
    "unavailable",
    `No connection to "${toPrintable(host)}": ${toPrintable(failure.why)}.`,
    { reason: "connection_failed", cause: failure.cause },
  );
}

export function netTimeout(host: string, timeoutMs: number): ToolError {
  return new ToolError(
    "timeout",
    `"${toPrintable(host)}" did not answer in full within ${timeoutMs} ms.`,
    { reason: "net_timeout", details: { timeoutMs } },
  );
}

export function tooManyRedirects(hops: readonly string[], why: string): ToolError {
  return new ToolError("limit", `The address leads from redirect to redirect: ${why}.`, {
    reason: "too_many_redirects",
    details: { hops },
  });
}

export function redirectRefused(from: string, to: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(from)}" redirects to another origin and wants the body of the request sent there; it is not sent.`,
    { reason: "redirect_refused", details: { to } },
  );
}

export function headersTooLarge(host: string, maxBytes: number): ToolError {
  return new ToolError(
    "limit",
    `"${toPrintable(host)}" answered with more than ${maxBytes} bytes of headers.`,
    { reason: "headers_too_large" },
  );
}

export function bodyTooLarge(host: string, maxBytes: number): ToolError {
  return new ToolError(
    "limit",
    `The answer of "${toPrintable(host)}" is longer than ${maxBytes} bytes.`,
    { reason: "body_too_large", details: { maxBytes } },
  );
}

/** `encoding`: as the server wrote it; shown where it is one of the usual words. */
export function encodingUnknown(host: string, encoding: string): ToolError {
  const name = encoding.trim().toLowerCase();
  const how = KNOWN_ENCODINGS.includes(name)
    ? `as ${name}`
    : SEVERAL.test(name)
      ? "several times"
      : "in a way that is not known here";
  return badResponse(host, { why: `it is encoded ${how}, which was not requested` });
}

export function badResponse(
  host: string,
  failure: { readonly why: string; readonly cause?: unknown },
): ToolError {
  return new ToolError(
    "failed",
    `The answer of "${toPrintable(host)}" cannot be used: ${toPrintable(failure.why)}.`,
    { reason: "bad_response", cause: failure.cause },
  );
}

export function proxyInvalid(key: string): ToolError {
  return new ToolInputError(
    `${key} is not a valid proxy address; write http://host:port, or "env".`,
    {
      reason: "proxy_invalid",
    },
  );
}

export function netClosed(): ToolError {
  return new ToolError("unavailable", "The network port is closed; make a new one.", {
    reason: "net_closed",
  });
}
