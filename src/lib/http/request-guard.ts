// Checks the head of an HTTP request: its host, its origin and its secret.

import { hash, timingSafeEqual } from "node:crypto";

const FOREIGN_SITES: ReadonlySet<string> = new Set(["cross-site", "same-site"]);
const BEARER = /^Bearer +(\S(?:.*\S)?) *$/i;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServedPlace {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

interface RequestHead {
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** undefined: let in. Stops DNS rebinding and requests from web pages. */
export function judgePlace(
  { url = "", rawHeaders, headers }: RequestHead,
  { hosts, origins }: ServedPlace,
): Refusal | undefined {
  // `GET http://elsewhere/ HTTP/1.1` is for proxies.
  if (!url.startsWith("/")) return forbidden("The request line must name a path.");
  const named = headerValues(rawHeaders, "host");
  const [host = ""] = named;
  if (named.length !== 1 || !hosts.has(host.toLowerCase())) {
    return forbidden("This host name is not served here.");
  }
  const origin = headerValues(rawHeaders, "origin");
  if (origin.some((one) => !origins.has(one)) || origin.length > 1) {
    return forbidden("Pages of this origin may not speak to this server.");
  }
  const site = headers["sec-fetch-site"];
  if (typeof site === "string" && FOREIGN_SITES.has(site.toLowerCase())) {
    return forbidden("Pages elsewhere may not speak to this server.");
  }
  return undefined;
}

export function judgeJsonType({ method, headers }: RequestHead): Refusal | undefined {
  if (method !== "POST" || JSON_TYPE.test(String(headers["content-type"] ?? ""))) return undefined;
  return forbidden("A POST must have the content type application/json.");
}

export function bearerToken({ rawHeaders }: Pick<RequestHead, "rawHeaders">): string {
  const given = headerValues(rawHeaders, "authorization");
  if (given.length !== 1) return "";
  return BEARER.exec(given[0] ?? "")?.[1] ?? "";
}

export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", secret, "buffer"));
}

function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}

function forbidden(message: string): Refusal {
  return { status: 403, message };
}
