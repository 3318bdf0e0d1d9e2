// A request and the redirects that follow from it. Each is judged as if it were the first.

import { isToolError, type NetRequest, ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { parseAddress } from "../address/parse-address.js";
import { hostOf } from "../policy/host-names.js";
import { readHeaders } from "./headers.js";
import { findNextHop, type Hop } from "./redirect.js";
import type { HopAnswer } from "./send.js";

/** They say nothing of the place. */
const PASSED_ON = ["aborted", "timeout"];

export interface Arrival {
  readonly answer: HopAnswer;
  readonly url: URL;
  /** The host that was asked for first, by which errors call the answer. */
  readonly askedHost: string;
  readonly hops: readonly string[];
}

export interface Journey {
  readonly request: NetRequest;
  /** That of the request, read. */
  readonly url: URL;
  /** Judges the place, then sends. */
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

/**
 * Of a place that no one named the error says how it came to be asked for, and not its name: a server
 * chose that, and may have chosen it to be read. It is in the details.
 */
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
