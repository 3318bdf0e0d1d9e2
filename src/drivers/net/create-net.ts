// The network port made real: one way out for everybody, each hop judged before it is connected to.

import {
  type AddressPolicy,
  isToolError,
  type Net,
  type NetRequest,
  type NetStream,
} from "../../core/index.js";
import { type Dial, dialTcp, type ResolveName, resolveBySystem } from "./connect/connector.js";
import { type Deadline, readUrl, startDeadline } from "./deadline.js";
import { type BodySource, decodeBody } from "./decode.js";
import { bodyTooLarge, markSent, netTimeout, toNetError } from "./errors.js";
import { sendHop } from "./hop/exchange.js";
import { type Arrival, follow } from "./hop/follow.js";
import { alsoAllow, hostOf, readRules } from "./policy.js";
import type { OpenedSocket } from "./socket.js";
import {
  createProxyChoice,
  createWayOut,
  type Environment,
  type ProxySettings,
} from "./way-out.js";

const MAX_CHECK_MS = 10_000;
const EMPTY_STATUSES = [204, 205, 304];

export interface NetOptions {
  readonly policy?: AddressPolicy | undefined;
  readonly proxy?: ProxySettings | undefined;
  readonly environment?: Environment | undefined;
  readonly resolve?: ResolveName | undefined;
  readonly dial?: Dial | undefined;
  readonly trustedCertificate?: string | undefined;
}

interface Arrived {
  readonly arrival: Arrival;
  readonly deadline: Deadline;
}

export function createNet(options: NetOptions = {}): Net {
  const rules = readRules(options.policy ?? {});
  const wayOut = createWayOut({
    resolve: options.resolve ?? resolveBySystem,
    dial: options.dial ?? dialTcp,
    trustedCertificate: options.trustedCertificate,
    chooseProxy: createProxyChoice(options.proxy ?? {}, options.environment ?? process.env),
  });

  const sockets = new Set<OpenedSocket>();

  async function arrive(request: NetRequest): Promise<Arrived> {
    const { signal, limits, alsoAllowedHostnames = [] } = request;
    const url = readUrl(request.url);
    const own = alsoAllow(rules, alsoAllowedHostnames);
    const deadline = startDeadline({
      signal,
      timeoutMs: limits.timeoutMs,
      onTimeout: () => netTimeout(hostOf(url), limits.timeoutMs),
    });
    let isSent = false;
    const onSend = () => {
      isSent = true;
    };
    try {
      const arrival = await follow({
        request,
        url,
        send: async (hop) => {
          const lane = await wayOut.open({ url: hop.url, rules: own, deadline });
          return sendHop({ lane, hop, deadline, onSend });
        },
      });
      return { arrival, deadline };
    } catch (error) {
      deadline.end();
      throw markSent(deadline.error ?? toNetError(error, hostOf(url)), isSent);
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
        throw markSent(
          arrived.deadline.error ?? toNetError(error, arrived.arrival.askedHost),
          true,
        );
      } finally {
        endBody(arrived);
      }
    },
    async stream(request): Promise<NetStream> {
      const arrived = await arrive(request);
      const { answer, url, askedHost, hops } = arrived.arrival;
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
    async socket(request) {
      const { openWebSocket } = await import("./socket.js");
      const own = alsoAllow(rules, request.alsoAllowedHostnames ?? []);
      const { trustedCertificate } = options;
      const socket = await openWebSocket({ request, rules: own, wayOut, trustedCertificate });
      sockets.add(socket);
      void socket.ended.then(() => sockets.delete(socket));
      return socket;
    },
    async close() {
      for (const socket of sockets) socket.terminate();
      await wayOut.close();
    },
  };
}

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

interface Collected {
  readonly body: Uint8Array;
  readonly isCut: boolean;
}

function collect(source: BodySource, maxBytes: number): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const cut = () => resolve({ body: join(chunks).subarray(0, maxBytes), isCut: true });

    source.read({
      data(chunk) {
        if (bytes > maxBytes) return;
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= maxBytes) return;
        cut();
        source.cancel();
      },
      end: () => resolve({ body: join(chunks), isCut: false }),
      fail: (error) => (isOverLimit(error) ? cut() : reject(error)),
    });
  });
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

function isOverLimit(error: unknown): boolean {
  return isToolError(error) && error.reason === "body_too_large";
}

interface BodyStream {
  readonly source: BodySource;
  readonly host: string;
  readonly maxBytes: number;
  readonly onEnd: () => void;
}

async function* streamBody(request: BodyStream): AsyncGenerator<Uint8Array> {
  const { source, host, maxBytes, onEnd } = request;
  let bytes = 0;
  try {
    for await (const chunk of pull(source)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw bodyTooLarge(host, maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw markSent(toNetError(error, host), true);
  } finally {
    source.cancel();
    onEnd();
  }
}

/** The source waits while the last piece is being looked at. */
async function* pull(source: BodySource): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let end: { readonly error?: unknown } | undefined;
  let wake = (): void => undefined;

  source.read({
    data(chunk) {
      chunks.push(chunk);
      source.pause();
      wake();
    },
    end() {
      end = {};
      wake();
    },
    fail(error) {
      end = { error };
      wake();
    },
  });
  for (;;) {
    const chunk = chunks.shift();
    if (chunk) {
      yield chunk;
    } else if (end) {
      if ("error" in end) throw end.error;
      return;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
        source.resume();
      });
    }
  }
}
