// What goes wrong on the way: bad requests, names, connections, answers, limits.
import { type AddressPolicy, isToolError, ToolError, ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { readText } from "../../lib/read-field.js";

const MAX_URL_CHARS = 200;
/** Words that a server may have chosen, but not made up. */
const KNOWN_SCHEMES = ["file:", "ftp:", "data:", "javascript:", "about:", "blob:", "ws:", "wss:"];

export type UrlFault = "url_invalid" | "scheme_refused" | "userinfo_refused";

function invalid(reason: string, message: string, cause?: unknown): ToolError {
  return new ToolInputError(message, { reason, cause });
}

export function urlInvalid(text: string): ToolError {
  const shown = toPrintable(text, MAX_URL_CHARS);
  const advice = "write one such as https://example.com/page";
  return invalid("url_invalid", `"${shown}" is not a valid URL; ${advice}.`);
}

export function schemeRefused(protocol: string): ToolError {
  const shown = toPrintable(protocol, MAX_URL_CHARS);
  return invalid("scheme_refused", `"${shown}" is not fetched; only http: and https: are.`);
}

export function socketSchemeRefused(url: string): ToolError {
  const shown = toPrintable(url, MAX_URL_CHARS);
  const what = "is not a WebSocket URL; it must begin with ws: or wss:";
  return invalid("scheme_refused", `"${shown}" ${what}.`);
}

/** The URL is not shown: it holds a password. */
export function userinfoRefused(host: string): ToolError {
  const what = "has a user name or password before the host; leave it out";
  return invalid("userinfo_refused", `The URL for ${quote(host)} ${what}.`);
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
  return invalid(fault, `A redirect of ${quote(from)} leads ${what}.`);
}

export function headerInvalid(name: string, why: string): ToolError {
  return invalid("header_invalid", `The header ${quote(name)} ${why}.`);
}

function requestInvalid(cause: Error): ToolError {
  const why = toPrintable(cause.message);
  return invalid("header_invalid", `The request cannot be sent: ${why}.`, cause);
}

export function proxyInvalid(key: string): ToolError {
  const advice = 'write http://host:port, or "env"';
  return invalid("proxy_invalid", `${key} is not a valid proxy address; ${advice}.`);
}

export function handshakeRefused(host: string, status: number): ToolError {
  const message = `${quote(host)} refused the WebSocket with HTTP status ${status}.`;
  return new ToolError("failed", message, { reason: "handshake_refused", details: { status } });
}

export function certificateMismatch(host: string, shown: string): ToolError {
  return new ToolError(
    "denied",
    `${quote(host)} shows another certificate than the pinned one: ${shown}. If the server was set up again, pin that one.`,
    { reason: "certificate_mismatch", details: { fingerprint: shown } },
  );
}

export function nameNotFound(host: string, cause?: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `${quote(host)} has no address; check the name, and whether this machine is online.`,
    { reason: "name_not_found", cause },
  );
}

interface Failure {
  readonly why: string;
  readonly cause?: unknown;
}

function connectionFailed(host: string, failure: Failure): ToolError {
  return new ToolError(
    "unavailable",
    `No connection to ${quote(host)}: ${toPrintable(failure.why)}.`,
    { reason: "connection_failed", cause: failure.cause },
  );
}

export function netTimeout(host: string, timeoutMs: number): ToolError {
  return new ToolError("timeout", `${quote(host)} did not answer in full within ${timeoutMs} ms.`, {
    reason: "net_timeout",
    details: { timeoutMs },
  });
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
    `${quote(from)} redirects to another origin and wants the body of the request sent there; it is not sent.`,
    { reason: "redirect_refused", details: { to } },
  );
}

function headersTooLarge(host: string, maxBytes: number): ToolError {
  return new ToolError(
    "limit",
    `${quote(host)} answered with more than ${maxBytes} bytes of headers.`,
    { reason: "headers_too_large" },
  );
}

export function bodyTooLarge(host: string, maxBytes: number): ToolError {
  return new ToolError("limit", `The answer of ${quote(host)} is longer than ${maxBytes} bytes.`, {
    reason: "body_too_large",
    details: { maxBytes },
  });
}

export function encodingUnknown(host: string): ToolError {
  return badResponse(host, { why: "it is encoded in a way that was not requested" });
}

function badResponse(host: string, failure: Failure): ToolError {
  return new ToolError(
    "failed",
    `The answer of ${quote(host)} cannot be used: ${toPrintable(failure.why)}.`,
    { reason: "bad_response", cause: failure.cause },
  );
}

export function netClosed(): ToolError {
  return new ToolError("unavailable", "The network port is closed; make a new one.", {
    reason: "net_closed",
  });
}

const HOST_LIST = ".allowedHostnames";

interface AddressRefusal {
  readonly host: string;
  readonly address?: string;
  readonly what: string;
  readonly keys: readonly (keyof AddressPolicy)[];
  readonly policyKey: string;
  readonly hint?: string | undefined;
}

export function addressRefused(refusal: AddressRefusal): ToolError {
  const { host, address, what, policyKey } = refusal;
  const keys = refusal.keys.map((key) => `${policyKey}.${key}`);
  const isName = address !== undefined && address !== host;
  const subject = isName
    ? `${quote(host)} has the address ${toPrintable(address)}, which ${what}`
    : `${quote(host)} ${what}`;
  return new ToolError(
    "denied",
    `${subject}, so it is not reached; ${adviceFor(keys, refusal.hint)}.`,
    {
      reason: "address_refused",
      details: {
        host,
        ...(address === undefined ? {} : { address }),
        rule: what,
        allowKeys: keys,
      },
    },
  );
}

export function hostRefused(refusal: {
  readonly host: string;
  readonly rule: string;
  readonly advice: string;
}): ToolError {
  const { host, rule, advice } = refusal;
  return new ToolError("denied", `${quote(host)} is not reached: ${rule}; ${advice}.`, {
    reason: "host_refused",
    details: { host, rule },
  });
}

function adviceFor(keys: readonly string[], hint: string | undefined): string {
  const [first, ...others] = keys;
  if (first === undefined) return "no setting allows it";
  const rest = others.map((key) => ` or set ${key}`).join("");
  const how = first.endsWith(HOST_LIST) ? `add the host to ${first}` : `set ${first}`;
  const way = `${how}${rest}`;
  return `to allow it ${way}${hint === undefined ? "" : ` (${hint})`}`;
}

function quote(host: string): string {
  return `"${toPrintable(host)}"`;
}

export function markSent(error: ToolError, isSent: boolean): ToolError {
  const details: object = typeof error.details === "object" ? { ...error.details } : {};
  return Object.assign(error, { details: { ...details, sent: isSent ? "maybe" : "no" } });
}

export const MAX_HEADER_BYTES = 32 * 1024;
const NO_NAME = ["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "ENODATA", "EAI_NONAME"];
const INVALID = ["UND_ERR_INVALID_ARG", "ERR_INVALID_ARG_VALUE", "ERR_INVALID_CHAR"];
const CLOSED = ["UND_ERR_DESTROYED", "UND_ERR_CLOSED"];
const BROKEN_ENCODING = /^(?:Z_|ERR_BROTLI|ERR__ERROR_)/;
/** The parser, and a connection that ended before the answer did. */
const BROKEN_ANSWER = /^(?:HPE_|UND_ERR_(?:SOCKET|RES_|REQ_)|ERR_STREAM_PREMATURE)/;
const CERTIFICATE = /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_|SSL/;

export function toNetError(thrown: unknown, host: string): ToolError {
  if (isToolError(thrown)) return thrown;
  const code = codeOf(thrown);
  if (NO_NAME.includes(code)) return nameNotFound(host, thrown);
  if (CLOSED.includes(code)) return netClosed();
  if (INVALID.includes(code) && thrown instanceof Error) return requestInvalid(thrown);
  if (code === "UND_ERR_HEADERS_OVERFLOW") return headersTooLarge(host, MAX_HEADER_BYTES);
  if (BROKEN_ENCODING.test(code)) {
    const why = "its content encoding is damaged, or ends too early";
    return badResponse(host, { why, cause: thrown });
  }
  if (BROKEN_ANSWER.test(code) || isParserError(thrown)) {
    return badResponse(host, { why: reasonOf(thrown), cause: thrown });
  }
  const isCertificate = CERTIFICATE.test(code);
  const why = isCertificate ? `its certificate does not hold (${code})` : reasonOf(thrown);
  return connectionFailed(host, { why, cause: thrown });
}

/** Some of them have no code. */
function isParserError(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "HTTPParserError";
}

function codeOf(thrown: unknown): string {
  return readText(thrown, "code") ?? "";
}

function reasonOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : "";
  return message === "" ? codeOf(thrown) || "the connection failed" : message;
}
