// The headers of a request: what a caller may set, and what goes along to another origin.

import { headerInvalid } from "../errors/failures.js";

/** They belong to the connection, or decide which server answers. */
const OWN_HEADERS = new Set([
  "host",
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** An allow list: any other header may carry a secret, whatever its name is. */
const HARMLESS_HEADERS = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "user-agent",
]);
const DEFAULT_HEADERS = { accept: "*/*", "accept-encoding": "gzip, br", "user-agent": "clawtools" };
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const BROKEN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

export type HeaderMap = Readonly<Record<string, string>>;

/** With names in lower case. Throws `invalid_input`. */
export function readHeaders(given: HeaderMap = {}): HeaderMap {
  const headers: Record<string, string> = { ...DEFAULT_HEADERS };
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) throw headerInvalid(name, "has characters that no name may have");
    if (OWN_HEADERS.has(lower)) throw headerInvalid(name, "cannot be set");
    if (BROKEN_VALUE.test(value)) {
      throw headerInvalid(name, "has line breaks or other characters that no value may have");
    }
    headers[lower] = value;
  }
  return headers;
}

export function keepHarmless(headers: HeaderMap): HeaderMap {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name)));
}

/** Of a redirect that turns a request into a GET. */
export function withoutBody(headers: HeaderMap): HeaderMap {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith("content-")),
  );
}
