// Connections that carry bytes no one reads here: tunnels, and requests that become something else.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { toNetError } from "../errors/to-net-error.js";
import { keepForwarded, toPairs } from "./forward-headers.js";
import type { Passage } from "./passage.js";
import { BAD_REQUEST, refuseSocket, toRefusal } from "./refuse.js";
import { pathOf, readAuthority, readPlainUrl, type Target } from "./target.js";

const ESTABLISHED = "HTTP/1.1 200 Connection Established\r\n\r\n";

export interface Crossing {
  readonly request: IncomingMessage;
  readonly client: Socket;
  /** What the client sent behind its head. */
  readonly rest: Buffer;
  readonly passage: Passage;
  readonly maxIdleMs: number;
}

/** CONNECT: https, ws and wss. */
export async function openTunnel(crossing: Crossing): Promise<void> {
  const target = readAuthority(crossing.request.url ?? "");
  const upstream = await cross(crossing, target);
  if (!upstream) return;
  crossing.client.write(ESTABLISHED);
  join(crossing, upstream);
}

/** A plain request with an `Upgrade`, sent on as it is. */
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
