// A plain request in absolute form, sent on to its server, and the answer handed back as it comes.
import {
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { toNetError } from "../errors.js";
import type { Lane } from "./client-owner.js";
import {
  BAD_REQUEST,
  pathOf,
  readAuthority,
  readPlainUrl,
  refuseRequest,
  refuseSocket,
  type Target,
  toRefusal,
} from "./judge-target.js";
import { type Passage, toProxyCredentials } from "./open-socket.js";

export const MAX_HEADER_BYTES = 64 * 1024;
/** They may be sent twice: a kept connection may end at the moment it is used again. */
const REPEATABLE = ["GET", "HEAD", "OPTIONS"];
const PRINTABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly lane: Lane;
}

export async function forwardRequest(exchange: Exchange): Promise<void> {
  const { request, response, target, lane } = exchange;
  try {
    const { proxy } = await lane.whereTo();
    if (response.destroyed) return;
    send(exchange, { proxy, isRepeated: false });
  } catch (error) {
    request.resume();
    refuseRequest(response, toRefusal(toNetError(error, target.host)));
  }
}

interface Sending {
  readonly proxy: URL | undefined;
  readonly isRepeated: boolean;
}

function send(exchange: Exchange, { proxy, isRepeated }: Sending): void {
  const { request, response, target, lane } = exchange;
  const isBare = hasNoBody(request) && REPEATABLE.includes(request.method ?? "");
  const sent = sendRequest({
    // What cannot be sent twice does not take a connection that the server may just be closing.
    agent: isBare && !isRepeated ? lane.kept : lane.single,
    method: request.method,
    path: toPath(exchange, proxy),
    headers: toHeaders(exchange, proxy),
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  response.once("close", () => sent.destroy());
  sent.once("response", (answer) => giveBack(answer, response));
  // Upgrades come in by another door; a server that switches here was not asked to.
  sent.once("upgrade", (_answer, socket) => socket.destroy());
  sent.on("error", (error) => {
    if (response.destroyed) return;
    if (sent.reusedSocket && isBare && !isRepeated && !response.headersSent) {
      send(exchange, { proxy, isRepeated: true });
      return;
    }
    request.resume();
    refuseRequest(response, toRefusal(toNetError(error, target.host)));
  });
  if (isRepeated || isBare) sent.end();
  else passBody(request, sent);
}

/** An upload that breaks off must not look complete to the server. */
function passBody(request: IncomingMessage, sent: ClientRequest): void {
  pipeline(request, sent, (error) => {
    if (error) sent.destroy(error);
  });
}

function giveBack(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, statusMessage = "", rawHeaders } = answer;
  response.sendDate = false;
  response.writeHead(
    statusCode,
    PRINTABLE.test(statusMessage) ? statusMessage : "",
    keepForwarded(rawHeaders),
  );
  // Streams of events have a head long before they have a body.
  response.flushHeaders();
  // A body that breaks off ends the client's connection, so that it does not look complete.
  pipeline(answer, response, (error) => {
    if (error) response.destroy();
  });
}

function toPath({ request, target }: Exchange, proxy: URL | undefined): string {
  const path = pathOf(request.url ?? "", target);
  return proxy ? `${target.url.origin}${path}` : path;
}

/** The host of the address counts, whatever the header says (RFC 9112, 3.2.2). */
function toHeaders({ request, target }: Exchange, proxy: URL | undefined): string[] {
  const headers = ["Host", target.url.host, ...keepForwarded(request.rawHeaders, ["host"])];
  if (request.headers["transfer-encoding"] !== undefined) {
    headers.push("Transfer-Encoding", "chunked");
  }
  const credentials = proxy && toProxyCredentials(proxy);
  if (credentials !== undefined) headers.push("Proxy-Authorization", credentials);
  return headers;
}

function hasNoBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] === undefined && (length === undefined || length === "0");
}

const ONE_CONNECTION = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const SEPARATOR = /\s*,\s*/;

type RawHeaders = readonly string[];

function keepForwarded(raw: RawHeaders, dropped: readonly string[] = []): string[] {
  const named = toPairs(raw)
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(SEPARATOR));
  const isDropped = (name: string) =>
    ONE_CONNECTION.has(name) || named.includes(name) || dropped.includes(name);
  return toPairs(raw)
    .filter(([name]) => !isDropped(name.toLowerCase()))
    .flat();
}

function toPairs(raw: RawHeaders): readonly (readonly [name: string, value: string])[] {
  return Array.from({ length: Math.floor(raw.length / 2) }, (_, index) => [
    raw[index * 2] ?? "",
    raw[index * 2 + 1] ?? "",
  ]);
}

const ESTABLISHED = "HTTP/1.1 200 Connection Established\r\n\r\n";

export interface Crossing {
  readonly request: IncomingMessage;
  readonly client: Socket;
  readonly rest: Buffer;
  readonly passage: Passage;
  readonly maxIdleMs: number;
}

export async function openTunnel(crossing: Crossing): Promise<void> {
  const target = readAuthority(crossing.request.url ?? "");
  const upstream = await cross(crossing, target);
  if (!upstream) return;
  crossing.client.write(ESTABLISHED);
  join(crossing, upstream);
}

export async function openUpgrade(crossing: Crossing): Promise<void> {
  const target = readPlainUrl(crossing.request.url ?? "");
  const upstream = await cross(crossing, target);
  if (!upstream || !target) return;
  upstream.write(toHead(crossing.request, target), "latin1");
  join(crossing, upstream);
}

async function cross(
  { client, passage }: Crossing,
  target: Target | undefined,
): Promise<Socket | undefined> {
  client.on("error", () => client.destroy());
  if (!target) {
    refuseSocket(client, BAD_REQUEST);
    return undefined;
  }
  try {
    const route = await passage.judge(target);
    const upstream = await passage.connect({ target, route, use: "stream" });
    if (!client.destroyed) return upstream;
    upstream.destroy();
  } catch (error) {
    refuseSocket(client, toRefusal(toNetError(error, target.host)));
  }
  return undefined;
}

function join({ client, rest, maxIdleMs }: Crossing, upstream: Socket): void {
  if (rest.length > 0) client.unshift(rest);
  splice(client, upstream, { maxIdleMs });
}

function toHead(request: IncomingMessage, target: Target): string {
  const headers = [
    ["Host", target.url.host],
    ...toPairs(keepForwarded(request.rawHeaders, ["host"])),
    ["Connection", "Upgrade"],
    ["Upgrade", request.headers.upgrade ?? ""],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const first = `${request.method} ${pathOf(request.url ?? "", target)} HTTP/1.1`;
  return [first, ...lines, "", ""].join("\r\n");
}

function splice(
  client: Socket,
  upstream: Socket,
  { maxIdleMs }: { readonly maxIdleMs: number },
): void {
  // A tunnel carries whatever it carries: one end may still write when the other has finished.
  client.allowHalfOpen = true;
  upstream.allowHalfOpen = true;
  follow(client, upstream);
  follow(upstream, client);
  for (const socket of [client, upstream]) {
    socket.setTimeout(maxIdleMs, () => {
      client.destroy();
      upstream.destroy();
    });
  }
  client.pipe(upstream);
  upstream.pipe(client);
}

/** What ends well has handed on all it had, and the other side ends by itself. */
function follow(socket: Socket, other: Socket): void {
  socket.on("error", () => other.destroy());
  socket.once("close", () => {
    if (!socket.readableEnded || !socket.writableFinished) other.destroy();
  });
}
