// A request and the redirects that follow from it. Each is judged as if it were the first.
import { isToolError, type NetRequest, ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { parseAddress } from "../address.js";
import { readLocation } from "../deadline.js";
import { redirectRefused, tooManyRedirects } from "../errors.js";
import { hostOf } from "../policy.js";
import {
  type HeaderMap,
  type HopAnswer,
  keepHarmless,
  readHeaders,
  withoutBody,
} from "./exchange.js";

const PASSED_ON = ["aborted", "timeout"];

export interface Arrival {
  readonly answer: HopAnswer;
  readonly url: URL;
  readonly askedHost: string;
  readonly hops: readonly string[];
}

interface Journey {
  readonly request: NetRequest;
  readonly url: URL;
  readonly send: (hop: Hop) => Promise<HopAnswer>;
}

export async function follow({ request, url, send }: Journey): Promise<Arrival> {
  const { method = "GET", body, limits } = request;
  const askedHost = hostOf(url);
  let hop: Hop = { url, method, headers: readHeaders(request.headers), body };
  const hops: string[] = [];
  for (;;) {
    hops.push(hop.url.href);
    const answer = await sendNamed({ hop, askedHost, hops, send });
    const { status, headers } = answer;
    let next: Hop | undefined;
    try {
      const { maxRedirects } = limits;
      const { location } = headers;
      next = findNextHop({ hop, askedHost, status, location, hops, maxRedirects });
    } catch (error) {
      answer.end();
      throw error;
    }
    if (!next) return { answer, url: hop.url, askedHost, hops };
    answer.end();
    hop = next;
  }
}

interface NamedStep {
  readonly hop: Hop;
  readonly askedHost: string;
  readonly hops: readonly string[];
}

async function sendNamed(
  step: NamedStep & { readonly send: (hop: Hop) => Promise<HopAnswer> },
): Promise<HopAnswer> {
  try {
    return await step.send(step.hop);
  } catch (error) {
    throw step.hops.length === 1 ? error : toRedirectError(error, step);
  }
}

/** The message does not name the target: a server chose that name. It is in the details. */
function toRedirectError(error: unknown, { hop, askedHost, hops }: NamedStep): unknown {
  if (!isToolError(error) || PASSED_ON.includes(error.code)) return error;
  const host = hostOf(hop.url);
  const isShown = host === askedHost || host === "localhost" || parseAddress(host) !== undefined;
  const said = isShown
    ? error.message
    : error.message.replaceAll(`"${toPrintable(host)}"`, "the host it leads to");
  const message = `A redirect of "${toPrintable(askedHost)}" failed: ${said}`;
  const { code, reason, details } = error;
  return new ToolError(code, message, { reason, cause: error, details: { ...details, hops } });
}

const REDIRECTS = [301, 302, 303, 307, 308];
const KEEPS_METHOD = [307, 308];
const DEFAULT_MAX_REDIRECTS = 3;
const MAX_REDIRECTS = 5;

export interface Hop {
  readonly url: URL;
  readonly method: NonNullable<NetRequest["method"]>;
  readonly headers: HeaderMap;
  readonly body: NetRequest["body"];
}

interface RedirectCase {
  readonly hop: Hop;
  readonly askedHost: string;
  readonly status: number;
  readonly location: string | undefined;
  readonly hops: readonly string[];
  readonly maxRedirects: number | undefined;
}

function findNextHop(request: RedirectCase): Hop | undefined {
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
