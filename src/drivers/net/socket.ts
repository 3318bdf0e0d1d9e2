// A WebSocket to a judged place: the connection is made by us, to the addresses that were judged, and
// the `ws` package speaks the protocol over it.

import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { RawData, WebSocket } from "ws";
import { type NetSocket, type SocketEnd, type SocketRequest, ToolError } from "../../core/index.js";
import { secureSocket, untilOpen } from "./connect/connector.js";
import { type Deadline, readUrl, startDeadline } from "./deadline.js";
import {
  certificateMismatch,
  handshakeRefused,
  markSent,
  netClosed,
  netTimeout,
  socketSchemeRefused,
  toNetError,
} from "./errors.js";
import { readHeaders } from "./hop/exchange.js";
import { type AddressRules, hostOf } from "./policy.js";
import type { WayOut } from "./way-out.js";

const DEFAULT_MAX_PAYLOAD = 16 * 1024 * 1024;
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;
const CLOSE_LIMIT_MS = 2_000;
const NORMAL = 1000;
const WS_SCHEME = /^ws(?=s?:)/i;

export interface SocketParts {
  readonly request: SocketRequest;
  readonly rules: AddressRules;
  readonly wayOut: Pick<WayOut, "connect">;
  readonly trustedCertificate: string | undefined;
}

export interface OpenedSocket extends NetSocket {
  terminate(): void;
}

export async function openWebSocket(parts: SocketParts): Promise<OpenedSocket> {
  const { request } = parts;
  const { signal, timeoutMs } = request;
  if (!WS_SCHEME.test(request.url)) throw socketSchemeRefused(request.url);
  // By this form hosts are judged and proxies chosen.
  const url = readUrl(request.url.replace(WS_SCHEME, "http"));
  const headers = readHeaders(request.headers);
  const host = hostOf(url);
  const onTimeout = () => netTimeout(host, timeoutMs);
  const deadline = startDeadline({ signal, timeoutMs, onTimeout });
  let connection: Socket | undefined;
  let isSent = false;
  try {
    const plain = await parts.wayOut.connect({ url, rules: parts.rules, deadline });
    connection = plain;
    const secured =
      url.protocol === "https:" ? await secure(plain, { url, deadline, parts }) : plain;
    connection = secured;
    const { WebSocket } = await import("ws");
    isSent = true;
    const socket = new WebSocket(toSocketUrl(url), [...(request.protocols ?? [])], {
      createConnection: () => secured,
      headers,
      maxPayload: request.maxPayload ?? DEFAULT_MAX_PAYLOAD,
      perMessageDeflate: false,
      followRedirects: false,
    });
    const opened = wrap(socket, { request, host });
    await deadline.race(untilHandshake(socket, host));
    return opened;
  } catch (error) {
    connection?.destroy();
    throw markSent(deadline.error ?? toNetError(error, host), isSent);
  } finally {
    deadline.end();
  }
}

function toSocketUrl({ href }: URL): string {
  return href.replace(/^http/, "ws");
}

interface Securing {
  readonly url: URL;
  readonly deadline: Deadline;
  readonly parts: SocketParts;
}

async function secure(socket: Socket, { url, deadline, parts }: Securing): Promise<TLSSocket> {
  const { request, trustedCertificate } = parts;
  const { ca = trustedCertificate, fingerprint } = request;
  const host = hostOf(url);
  const secured = secureSocket(socket, { host, ca, isPinned: fingerprint !== undefined });
  await deadline.race(untilOpen(secured));
  const shown = secured.getPeerCertificate().fingerprint256 ?? "";
  if (fingerprint === undefined || plainHex(shown) === plainHex(fingerprint)) return secured;
  secured.destroy();
  throw certificateMismatch(host, shown);
}

function plainHex(fingerprint: string): string {
  return fingerprint.replaceAll(":", "").toLowerCase();
}

function untilHandshake(socket: WebSocket, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
    socket.once("unexpected-response", (_request, { statusCode = 0 }) => {
      reject(handshakeRefused(host, statusCode));
      socket.terminate();
    });
  });
}

/** Listens at once, so that no message between the handshake and the first look is lost. */
function wrap(
  socket: WebSocket,
  { request, host }: { readonly request: SocketRequest; readonly host: string },
): OpenedSocket {
  const { signal, keepAliveMs } = request;
  let failure: ToolError | undefined;
  let isHeard = true;
  let wasOpen = false;
  let isOver = false;
  let tellEnd: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    tellEnd = resolve;
  });

  const keepAlive =
    keepAliveMs === undefined
      ? undefined
      : setInterval(() => {
          if (socket.readyState !== socket.OPEN) return;
          if (!isHeard) {
            failure = netTimeout(host, keepAliveMs);
            socket.terminate();
            return;
          }
          isHeard = false;
          socket.ping();
        }, keepAliveMs);
  const hear = () => {
    isHeard = true;
  };
  const giveUp = () => socket.terminate();
  signal.addEventListener("abort", giveUp, { once: true });

  socket.on("open", () => {
    wasOpen = true;
  });
  socket.on("pong", hear);
  socket.on("ping", hear);
  socket.on("message", (data: RawData, isBinary: boolean) => {
    hear();
    request.onMessage(isBinary ? toBytes(data) : toBytes(data).toString("utf8"));
  });
  socket.on("error", (error) => {
    failure ??= markSent(toNetError(error, host), true);
  });
  socket.on("close", (code, reason) => {
    isOver = true;
    clearInterval(keepAlive);
    signal.removeEventListener("abort", giveUp);
    const end: SocketEnd = { code, reason: reason.toString("utf8"), error: failure };
    if (wasOpen) request.onClose?.(end);
    tellEnd();
  });

  return {
    get protocol() {
      return socket.protocol;
    },
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    ended,
    send(data) {
      if (isOver || socket.readyState !== socket.OPEN) {
        return Promise.reject(markSent(failure ?? socketClosed(host), false));
      }
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) return Promise.reject(sendBufferFull(host));
      return new Promise((resolve, reject) => {
        socket.send(data, (error) =>
          error ? reject(markSent(toNetError(error, host), true)) : resolve(),
        );
      });
    },
    async close(code = NORMAL, reason = "") {
      if (isOver) return;
      socket.close(code, reason);
      const timer = setTimeout(() => socket.terminate(), CLOSE_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    },
    terminate() {
      if (!isOver) failure ??= netClosed();
      socket.terminate();
    },
  };
}

function toBytes(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

function socketClosed(host: string): ToolError {
  return new ToolError("unavailable", `The connection to "${host}" is closed. Open a new one.`, {
    reason: "socket_closed",
  });
}

function sendBufferFull(host: string): ToolError {
  return new ToolError(
    "limit",
    `"${host}" does not read: ${MAX_BUFFERED_BYTES} bytes wait to be sent. Wait for earlier sends, or close the connection.`,
    { reason: "socket_buffer_full", details: { sent: "no" } },
  );
}
