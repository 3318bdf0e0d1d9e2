// What the HTTP client calls to have a connection: always to the checked addresses, with TLS in the
// name of the host. Whatever is still being opened can be ended.

import type { Socket } from "node:net";
import { connect as connectTls, rootCertificates } from "node:tls";
import type { buildConnector } from "undici";
import { parseAddress } from "../address/parse-address.js";
import type { Dial } from "./dial.js";

/** The deadline of a request ends its waiting; this ends the attempt itself. */
const MAX_CONNECT_MS = 10_000;
const DEFAULT_PORTS = new Map([
  ["http:", 80],
  ["https:", 443],
]);
const BRACKETS = /^\[|\]$/g;
/** How the client ends the connection of a request that was given up. */
const GIVEN_UP = { code: "UND_ERR_INFO", message: "aborted" };
/** By it the client knows a connection that broke. */
const BROKEN_CODE = "UND_ERR_SOCKET";

export interface ConnectorParts {
  readonly dial: Dial;
  readonly trustedCertificate?: string | undefined;
}

export interface ConnectorTarget {
  readonly addresses: readonly string[];
  /** After a request was ended the client asks for a new connection that no one waits for. */
  readonly isWanted: () => boolean;
}

export interface Connector {
  readonly connect: buildConnector.connector;
  /** Ends what is being opened, because no one waits for it any more. */
  endOpening(): void;
}

export function createConnector(
  { dial, trustedCertificate }: ConnectorParts,
  { addresses, isWanted }: ConnectorTarget,
): Connector {
  const opening = new Set<Socket>();

  function open(options: buildConnector.Options): Socket {
    const { protocol, port, hostname } = options;
    const number = Number(port) || DEFAULT_PORTS.get(protocol) || 0;
    const socket = dial({ addresses, port: number });
    if (protocol !== "https:") return socket;
    const host = hostname.replace(BRACKETS, "");
    const secured = connectTls({
      socket,
      host,
      ALPNProtocols: ["http/1.1"],
      ...(parseAddress(host) ? {} : { servername: host }),
      ...toAuthorities(trustedCertificate),
    });
    socket.once("error", (error) => secured.destroy(error));
    return secured;
  }

  return {
    connect(options, callback) {
      if (!isWanted()) return callback(new Error("the request has ended"), null);
      const socket = open(options);
      opening.add(socket);
      const settle = () => {
        clearTimeout(timer);
        opening.delete(socket);
        socket.off("error", fail);
        socket.off("close", closed);
      };
      const fail = (error: Error) => {
        settle();
        socket.destroy();
        callback(error, null);
      };
      const closed = () => fail(new Error("the connection was closed while it was made"));
      const timer = setTimeout(
        () => fail(new Error(`not answered within ${MAX_CONNECT_MS} ms`)),
        MAX_CONNECT_MS,
      );
      socket.once("error", fail);
      socket.once("close", closed);
      socket.once(options.protocol === "https:" ? "secureConnect" : "connect", () => {
        settle();
        endPlainly(socket);
        callback(null, socket);
      });
    },
    endOpening() {
      for (const socket of opening) socket.destroy();
    },
  };
}

/**
 * The client takes a request that was given up for one that waits again, and opens another connection
 * for it. When its connection breaks, it leaves the request.
 */
function endPlainly(socket: Socket): void {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    const isGivenUp =
      error?.message === GIVEN_UP.message && Reflect.get(error, "code") === GIVEN_UP.code;
    return destroy(isGivenUp ? Object.assign(new Error(), { code: BROKEN_CODE }) : error);
  };
}

/** Replaces Node's own list only when there is something to add. */
export function toAuthorities(certificate: string | undefined): { ca?: string[] } {
  return certificate === undefined ? {} : { ca: [...rootCertificates, certificate] };
}
