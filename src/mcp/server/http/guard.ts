// Who may speak to the server at all: judged by the head of a request alone, before any of its body
// is read. A page in a browser on this machine must not get through, nor anybody without the token.

import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const MCP_PATH = "/mcp";

/** A request that is not let in. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GuardOptions {
  /** Names and addresses by which the server is reached, with the port. */
  readonly hosts: ReadonlySet<string>;
  /** Origins of pages that may speak to it. */
  readonly origins: ReadonlySet<string>;
  readonly token: string;
}

/** A page elsewhere that a browser speaks for. */
const FOREIGN_SITES: ReadonlySet<string> = new Set(["cross-site", "same-site"]);
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"]);
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const BEARER = /^Bearer +([^\s]+) *$/i;

/** undefined: let in. */
export function judgeRequest(request: IncomingMessage, options: GuardOptions): Refusal | undefined {
  return (
    judgePlace(request, options) ??
    judgeToken(request, options) ??
    judgePath(request) ??
    judgeType(request)
  );
}

function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** The same work whatever differs, so that the time it takes says nothing. */
export function isSameToken(given: string, token: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(token));
}

function judgePlace(
  { url = "", rawHeaders, headers }: IncomingMessage,
  { hosts, origins }: GuardOptions,
): Refusal | undefined {
  // `GET http://elsewhere/ HTTP/1.1` is for proxies.
  if (!url.startsWith("/")) return forbidden("The request line must name a path.");
  const named = valuesOf(rawHeaders, "host");
  const [host = ""] = named;
  if (named.length !== 1 || !hosts.has(host.toLowerCase())) {
    return forbidden("This host name is not served here.");
  }
  const origin = valuesOf(rawHeaders, "origin");
  if (origin.some((one) => !origins.has(one)) || origin.length > 1) {
    return forbidden("Pages of this origin may not speak to this server.");
  }
  const site = headers["sec-fetch-site"];
  if (typeof site === "string" && FOREIGN_SITES.has(site.toLowerCase())) {
    return forbidden("Pages elsewhere may not speak to this server.");
  }
  return undefined;
}

/** Only in the header: what stands in an address is written to logs and histories. */
function judgeToken({ rawHeaders }: IncomingMessage, { token }: GuardOptions): Refusal | undefined {
  const given = valuesOf(rawHeaders, "authorization");
  const [, bearer = ""] = BEARER.exec(given[0] ?? "") ?? [];
  const isRight = isSameToken(bearer, token);
  if (given.length === 1 && isRight) return undefined;
  return {
    status: 401,
    message: "Send the token of this server as `Authorization: Bearer …`.",
    headers: { "WWW-Authenticate": 'Bearer realm="clawtools"' },
  };
}

function judgePath({ url = "", method = "" }: IncomingMessage): Refusal | undefined {
  const [path] = url.split("?");
  if (path !== MCP_PATH) return { status: 404, message: `The server is at ${MCP_PATH}.` };
  if (METHODS.has(method)) return undefined;
  const headers = { Allow: [...METHODS].join(", ") };
  return { status: 405, message: "The methods are GET, POST and DELETE.", headers };
}

/** A form of a page elsewhere can send text, but not this type without being asked first. */
function judgeType({ method, headers }: IncomingMessage): Refusal | undefined {
  if (method !== "POST" || JSON_TYPE.test(headers["content-type"] ?? "")) return undefined;
  return forbidden("A POST must have the content type application/json.");
}

/** As they came: Node joins or drops headers that come twice. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}

function forbidden(message: string): Refusal {
  return { status: 403, message };
}
