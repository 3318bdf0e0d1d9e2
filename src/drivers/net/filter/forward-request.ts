// A plain request in absolute form, sent on to its server, and the answer handed back as it comes.

import {
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import { pipeline } from "node:stream";
import { toNetError } from "../errors/to-net-error.js";
import { keepForwarded } from "./forward-headers.js";
import type { Lane } from "./lanes.js";
import { toProxyCredentials } from "./pass-connect.js";
import { refuseRequest, toRefusal } from "./refuse.js";
import { pathOf, type Target } from "./target.js";

/** Of a request, and of an answer. */
export const MAX_HEADER_BYTES = 64 * 1024;
/** They may be sent twice: a kept connection may end at the moment it is used again. */
const REPEATABLE = ["GET", "HEAD", "OPTIONS"];
const PRINTABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface Exchange {
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
