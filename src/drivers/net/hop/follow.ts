// A request and the redirects that follow from it. Each is judged as if it were the first.

import { isToolError, type NetRequest, ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { hostOf } from "../policy/host-names.js";
import { readHeaders } from "./headers.js";
import { findNextHop, type Hop } from "./redirect.js";
import type { HopAnswer } from "./send.js";

export interface Arrival {
  readonly answer: HopAnswer;
  readonly url: URL;
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
  let hop: Hop = { url, method, headers: readHeaders(request.headers), body };
  const hops: string[] = [];
  for (;;) {
    hops.push(hop.url.href);
    const answer = await sendNamed({ hop, hops, send });
    const { status, headers } = answer;
    let next: Hop | undefined;
    try {
      const { maxRedirects } = limits;
      next = findNextHop({ hop, status, location: headers.location, hops, maxRedirects });
    } catch (error) {
      answer.end();
      throw error;
    }
    if (!next) return { answer, url: hop.url, hops };
    answer.end();
    hop = next;
  }
}

/** Of a place that nobody named the error says how it came to be asked for. */
async function sendNamed(step: {
  readonly hop: Hop;
  readonly hops: readonly string[];
  readonly send: (hop: Hop) => Promise<HopAnswer>;
}): Promise<HopAnswer> {
  const { hop, hops, send } = step;
  try {
    return await send(hop);
  } catch (error) {
    const [first] = hops;
    if (hops.length === 1 || first === undefined || !isToolError(error)) throw error;
    if (error.code !== "denied" && error.code !== "unavailable") throw error;
    const from = toPrintable(hostOf(new URL(first)));
    throw new ToolError(error.code, `A redirect of "${from}" failed: ${error.message}`, {
      reason: error.reason,
      cause: error,
      details: { ...error.details, hops },
    });
  }
}
