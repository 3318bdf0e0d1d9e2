// The port to the network, the only way out. It checks addresses at every hop.

import type { ToolError } from "../errors.js";

/** `tools.net.ssrfPolicy`; what is absent is refused. */
export interface AddressPolicy {
  readonly allowedHostnames?: readonly string[];
  readonly blockedHostnames?: readonly string[];
  readonly hostnameAllowlist?: readonly string[];
  readonly dangerouslyAllowPrivateNetwork?: boolean;
  readonly allowRfc2544BenchmarkRange?: boolean;
  readonly allowIpv6UniqueLocalRange?: boolean;
}

interface NetLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Default 3; 0 gives the redirect itself. */
  readonly maxRedirects?: number;
}

export interface NetRequest {
  readonly url: string;
  /** Default GET. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Names in any case. Those that carry secrets are dropped when a redirect leaves the origin. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly limits: NetLimits;
  readonly signal: AbortSignal;
  /** Next to the policy of the port, for an address that a person configured: a local service. */
  readonly alsoAllowedHostnames?: readonly string[];
}

interface NetAnswer {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hops: readonly string[];
}

export interface NetResponse extends NetAnswer {
  readonly body: Uint8Array;
  /** The body was longer than `maxBytes`. */
  readonly isCut: boolean;
  readonly tookMs: number;
}

export interface NetStream extends NetAnswer {
  /** Rejects with the same errors; anyone who leaves early ends the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface SocketRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Subprotocols, in order of preference. */
  readonly protocols?: readonly string[];
  /** Bytes of one received message; a longer one ends the connection with 1009. Default 16 MiB. */
  readonly maxPayload?: number;
  /** For names, connection and handshake. */
  readonly timeoutMs: number;
  /** Pings every so often, and ends a connection from which nothing came since the last ping. */
  readonly keepAliveMs?: number;
  /** Ends the handshake, and the connection after it. */
  readonly signal: AbortSignal;
  readonly alsoAllowedHostnames?: readonly string[];
  /** Certificate of an authority in PEM form, trusted next to those of Node. */
  readonly ca?: string | undefined;
  /** SHA-256 of the server's certificate in hex: accepts that one, self-signed or not, and no other. */
  readonly fingerprint?: string | undefined;
  readonly onMessage: (data: string | Uint8Array) => void;
  /** Called once, when a connection that was open has ended. */
  readonly onClose?: (end: SocketEnd) => void;
}

export interface SocketEnd {
  /** Of the closing handshake; 1006 when there was none. */
  readonly code: number;
  readonly reason: string;
  readonly error: ToolError | undefined;
}

export interface NetSocket {
  /** The subprotocol that the server chose; empty when none. */
  readonly protocol: string;
  /** Bytes that wait to be sent. */
  readonly bufferedBytes: number;
  /** Fulfilled when the connection has ended. Never rejected. */
  readonly ended: Promise<void>;
  /** Fulfilled when the message was handed to the system; await it to keep pace with the peer. */
  send(data: string | Uint8Array): Promise<void>;
  /** Fulfilled when the peer has answered, after two seconds at the latest. Default code 1000. */
  close(code?: number, reason?: string): Promise<void>;
}

/** All reject with a ToolError. */
export interface Net {
  fetch(request: NetRequest): Promise<NetResponse>;
  stream(request: NetRequest): Promise<NetStream>;
  /** A WebSocket, open when it is given. */
  socket(request: SocketRequest): Promise<NetSocket>;
  /** Checks without a connection: throws as `fetch` would for the first hop. */
  check(url: string, options: { readonly signal: AbortSignal }): Promise<void>;
  close(): Promise<void>;
}
