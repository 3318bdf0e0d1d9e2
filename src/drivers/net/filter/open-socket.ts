// A connection along a route, open when it is given: to the judged addresses, or to the next proxy and,
// for a tunnel, through it.

import { connect, type Socket } from "node:net";
import { connect as connectTls, TLSSocket } from "node:tls";
import type { Dial } from "../connect/dial.js";
import type { Deadline } from "../deadline.js";
import { toNetError } from "../errors/to-net-error.js";
import type { Route } from "./judge-target.js";
import { passConnect } from "./pass-connect.js";
import type { Target } from "./target.js";

const PROXY_PORTS = new Map([
  ["http:", 80],
  ["https:", 443],
]);
const BRACKETS = /^\[|\]$/g;

/** `stream`: bytes to the target itself. `requests`: the next proxy is asked like any HTTP proxy. */
export type Use = "stream" | "requests";

export interface OpenRequest {
  readonly route: Route;
  readonly target: Target;
  readonly use: Use;
  readonly dial: Dial;
  readonly deadline: Deadline;
}

/** Rejects with the errors of the network port. Anyone who has it ends it. */
export async function openSocket(request: OpenRequest): Promise<Socket> {
  const { route, target, use, dial, deadline } = request;
  const socket = route.kind === "direct" ? dial(route) : dialProxy(route.proxy);
  const forget = deadline.onOver(() => socket.destroy());
  try {
    await untilOpen(socket);
    if (route.kind === "proxied" && use === "stream") {
      await passConnect(socket, { target, proxy: route.proxy });
    }
    return socket;
  } catch (error) {
    socket.destroy();
    throw deadline.error ?? toNetError(error, target.host);
  } finally {
    forget();
  }
}

function dialProxy(proxy: URL): Socket {
  const host = proxy.hostname.replace(BRACKETS, "");
  const port = Number(proxy.port) || PROXY_PORTS.get(proxy.protocol) || 0;
  const socket = connect({ host, port, noDelay: true });
  if (proxy.protocol !== "https:") return socket;
  const secured = connectTls({ socket, host, servername: host, ALPNProtocols: ["http/1.1"] });
  socket.once("error", (error) => secured.destroy(error));
  return secured;
}

function untilOpen(socket: Socket): Promise<void> {
  if (!socket.connecting && !(socket instanceof TLSSocket)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const settle = () => {
      socket.off("error", fail);
      socket.off("close", closed);
    };
    const fail = (error: Error) => {
      settle();
      reject(error);
    };
    const closed = () => fail(new Error("the connection was closed while it was made"));
    socket.once("error", fail);
    socket.once("close", closed);
    socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", () => {
      settle();
      resolve();
    });
  });
}
