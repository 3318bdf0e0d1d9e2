// The network port made real: one way out for everybody, each hop judged before it is connected to.

import type { AddressPolicy, Net, NetRequest, NetStream } from "../../core/index.js";
import type { BodySource } from "./body/body-source.js";
import { collect } from "./body/collect.js";
import { decodeBody } from "./body/decode.js";
import { streamBody } from "./body/stream-body.js";
import { type Dial, dialTcp } from "./connect/dial.js";
import type { ResolveName } from "./connect/find-addresses.js";
import { resolveBySystem } from "./connect/system-resolve.js";
import { type Deadline, startDeadline } from "./deadline.js";
import { netTimeout } from "./errors/failures.js";
import { toNetError } from "./errors/to-net-error.js";
import { type Arrival, follow } from "./hop/follow.js";
import { sendHop } from "./hop/send.js";
import { hostOf } from "./policy/host-names.js";
import { alsoAllow, readRules } from "./policy/rules.js";
import { createProxyChoice, type Environment, type ProxySettings } from "./proxy/choose-proxy.js";
import { readUrl } from "./read-url.js";
import { createWayOut } from "./way-out.js";

const MAX_CHECK_MS = 10_000;
/** They have no body, whatever their headers say of one. */
const EMPTY_STATUSES = [204, 205, 304];

export interface NetOptions {
  readonly policy?: AddressPolicy | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** Where `env` is read; by default in that of this process. */
  readonly environment?: Environment | undefined;
  readonly resolve?: ResolveName | undefined;
  readonly dial?: Dial | undefined;
  /** Of an authority in PEM form, beside those that Node trusts. */
  readonly trustedCertificate?: string | undefined;
}

interface Arrived {
  readonly arrival: Arrival;
  /** To be ended when the body is done. */
  readonly deadline: Deadline;
}

/** Throws `invalid_input` for a policy or a proxy that cannot be meant so. */
export function createNet(options: NetOptions = {}): Net {
  const rules = readRules(options.policy ?? {});
  const wayOut = createWayOut({
    resolve: options.resolve ?? resolveBySystem,
    dial: options.dial ?? dialTcp,
    trustedCertificate: options.trustedCertificate,
    chooseProxy: createProxyChoice(options.proxy ?? {}, options.environment ?? process.env),
  });

  async function arrive(request: NetRequest): Promise<Arrived> {
    const { signal, limits, alsoAllowedHostnames = [] } = request;
    const url = readUrl(request.url);
    const own = alsoAllow(rules, alsoAllowedHostnames);
    const deadline = startDeadline({
      signal,
      timeoutMs: limits.timeoutMs,
      onTimeout: () => netTimeout(hostOf(url), limits.timeoutMs),
    });
    try {
      const arrival = await follow({
        request,
        url,
        send: async (hop) => {
          const lane = await wayOut.open({ url: hop.url, rules: own, deadline });
          return sendHop({ lane, hop, deadline });
        },
      });
      return { arrival, deadline };
    } catch (error) {
      deadline.end();
      throw deadline.error ?? error;
    }
  }

  return {
    async fetch(request) {
      const startMs = performance.now();
      const arrived = await arrive(request);
      try {
        const source = openBody(arrived.arrival, request);
        const { body, isCut } = await collect(source, request.limits.maxBytes);
        const { answer, url, hops } = arrived.arrival;
        const { status, headers } = answer;
        const tookMs = performance.now() - startMs;
        return { status, url: url.href, headers, hops, body, isCut, tookMs };
      } catch (error) {
        throw arrived.deadline.error ?? toNetError(error, arrived.arrival.askedHost);
      } finally {
        endBody(arrived);
      }
    },
    async stream(request): Promise<NetStream> {
      const arrived = await arrive(request);
      const { answer, url, askedHost, hops } = arrived.arrival;
      // Nobody may ever look at the body.
      const leave = () => endBody(arrived);
      arrived.deadline.onOver(leave);
      try {
        const body = streamBody({
          source: openBody(arrived.arrival, request),
          host: askedHost,
          maxBytes: request.limits.maxBytes,
          onEnd: leave,
        });
        const { status, headers } = answer;
        return { status, url: url.href, headers, hops, body };
      } catch (error) {
        leave();
        throw error;
      }
    },
    async check(text, { signal }) {
      const url = readUrl(text);
      const onTimeout = () => netTimeout(hostOf(url), MAX_CHECK_MS);
      const deadline = startDeadline({ signal, timeoutMs: MAX_CHECK_MS, onTimeout });
      try {
        await wayOut.judge({ url, rules, deadline });
      } finally {
        deadline.end();
      }
    },
    close: () => wayOut.close(),
  };
}

/** May throw `failed`. */
function openBody({ answer, askedHost }: Arrival, { method, limits }: NetRequest): BodySource {
  const { status, headers, body } = answer;
  const isEmpty = EMPTY_STATUSES.includes(status) || headers["content-length"] === "0";
  if (method === "HEAD" || isEmpty) return body;
  return decodeBody({
    source: body,
    encoding: headers["content-encoding"],
    host: askedHost,
    maxBytes: limits.maxBytes,
  });
}

function endBody({ arrival, deadline }: Arrived): void {
  arrival.answer.end();
  deadline.end();
}
