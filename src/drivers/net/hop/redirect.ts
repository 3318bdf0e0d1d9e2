// What follows from an answer: nothing, or the next request.

import type { NetRequest } from "../../../core/index.js";
import { redirectRefused, tooManyRedirects } from "../errors/failures.js";
import { hostOf } from "../policy/host-names.js";
import { readLocation } from "../read-url.js";
import { type HeaderMap, keepHarmless, withoutBody } from "./headers.js";

const REDIRECTS = [301, 302, 303, 307, 308];
const KEEPS_METHOD = [307, 308];
const DEFAULT_MAX_REDIRECTS = 3;
/** Whatever a caller asks for. */
const MAX_REDIRECTS = 5;

export interface Hop {
  readonly url: URL;
  readonly method: NonNullable<NetRequest["method"]>;
  readonly headers: HeaderMap;
  readonly body: NetRequest["body"];
}

export interface RedirectCase {
  readonly hop: Hop;
  /** The host that was asked for first, by which errors call the redirect. */
  readonly askedHost: string;
  readonly status: number;
  readonly location: string | undefined;
  /** Every address asked so far. */
  readonly hops: readonly string[];
  readonly maxRedirects: number | undefined;
}

/** undefined: this is the answer. Throws what `readLocation` throws, and `limit` or `denied`. */
export function findNextHop(request: RedirectCase): Hop | undefined {
  const { hop, askedHost, status, location, hops } = request;
  const maxRedirects = Math.min(request.maxRedirects ?? DEFAULT_MAX_REDIRECTS, MAX_REDIRECTS);
  if (location === undefined || !REDIRECTS.includes(status) || maxRedirects <= 0) return undefined;
  const url = readLocation(location, { base: hop.url, askedHost });
  const next = toNextHop({ hop, askedHost, status, url });
  if (hops.includes(url.href) && next.method === hop.method) {
    throw tooManyRedirects(hops, "it comes back to where it was");
  }
  if (hops.length > maxRedirects) {
    throw tooManyRedirects(hops, `more than ${maxRedirects} of them`);
  }
  return next;
}

function toNextHop(step: {
  readonly hop: Hop;
  readonly askedHost: string;
  readonly status: number;
  readonly url: URL;
}): Hop {
  const { hop, askedHost, status, url } = step;
  const isSameOrigin = url.origin === hop.url.origin;
  const becomesGet =
    (status === 303 && hop.method !== "HEAD") ||
    (!KEEPS_METHOD.includes(status) && hop.method === "POST");
  const body = becomesGet ? undefined : hop.body;
  if (body !== undefined && !isSameOrigin) {
    throw redirectRefused(askedHost, hostOf(url));
  }
  const headers = becomesGet ? withoutBody(hop.headers) : hop.headers;
  return {
    url,
    method: becomesGet ? "GET" : hop.method,
    headers: isSameOrigin ? headers : keepHarmless(headers),
    body,
  };
}
