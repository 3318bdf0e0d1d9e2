// What the HTTP client calls to have a connection: always to the checked addresses, with TLS in the
// name of the host. Whatever is still being opened can be ended.

import { lookup } from "node:dns/promises";
import { connect, isIPv6, type Socket } from "node:net";
import { connect as connectTls, rootCertificates, TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import { parseAddress } from "../address.js";
import { addressRefused, hostRefused, nameNotFound } from "../errors.js";
import {
  type AddressCase,
  type AddressRules,
  hostOf,
  isLoopbackName,
  judgeAddress,
  matchesHost,
  portOf,
} from "../policy.js";

const MAX_CONNECT_MS = 10_000;
const BRACKETS = /^\[|\]$/g;
/** How the client ends the connection of a request that was given up. */
const GIVEN_UP = { code: "UND_ERR_INFO", message: "aborted" };
/** By it the client knows a connection that broke. */
const BROKEN_CODE = "UND_ERR_SOCKET";

export interface ConnectorParts {
  readonly dial: Dial;
  readonly trustedCertificate?: string | undefined;
}

interface ConnectorTarget {
  readonly addresses: readonly string[];
  /** After a request was ended the client asks for a new connection that no one waits for. */
  readonly isWanted: () => boolean;
}

export interface Connector {
  readonly connect: buildConnector.connector;
  endOpening(): void;
}

export function createConnector(
  { dial, trustedCertificate }: ConnectorParts,
  { addresses, isWanted }: ConnectorTarget,
): Connector {
  const opening = new Set<Socket>();

  function open({ protocol, port, hostname }: buildConnector.Options): Socket {
    const socket = dial({ addresses, port: portOf({ port, protocol }) ?? 0 });
    if (protocol !== "https:") return socket;
    return secureSocket(socket, { host: hostname.replace(BRACKETS, ""), ca: trustedCertificate });
  }

  return {
    connect(options, callback) {
      if (!isWanted()) return callback(new Error("the request has ended"), null);
      const socket = open(options);
      opening.add(socket);
      const late = new Error(`not answered within ${MAX_CONNECT_MS} ms`);
      const timer = setTimeout(() => socket.destroy(late), MAX_CONNECT_MS);
      const settle = () => {
        clearTimeout(timer);
        opening.delete(socket);
      };
      untilOpen(socket).then(
        () => {
          settle();
          endPlainly(socket);
          callback(null, socket);
        },
        (error: Error) => {
          settle();
          socket.destroy();
          callback(error, null);
        },
      );
    },
    endOpening() {
      for (const socket of opening) socket.destroy();
    },
  };
}

/** undici retries an aborted request on a new connection, but not one that broke. */
function endPlainly(socket: Socket): void {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    const isGivenUp =
      error?.message === GIVEN_UP.message && Reflect.get(error, "code") === GIVEN_UP.code;
    return destroy(isGivenUp ? Object.assign(new Error(), { code: BROKEN_CODE }) : error);
  };
}

export function toAuthorities(certificate: string | undefined): { ca?: string[] } {
  return certificate === undefined ? {} : { ca: [...rootCertificates, certificate] };
}

interface Secured {
  readonly host: string;
  readonly ca?: string | undefined;
  /** The caller compares the certificate with a pinned one, regardless of its issuer. */
  readonly isPinned?: boolean;
}

/** TLS in the name of the host, over a connection that may still be opening. */
export function secureSocket(socket: Socket, { host, ca, isPinned }: Secured): TLSSocket {
  const secured = connectTls({
    socket,
    host,
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: isPinned !== true,
    ...(parseAddress(host) ? {} : { servername: host }),
    ...toAuthorities(ca),
  });
  socket.once("error", (error) => secured.destroy(error));
  return secured;
}

export function untilOpen(socket: Socket): Promise<void> {
  if (!socket.pending && !(socket instanceof TLSSocket)) return Promise.resolve();
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

const ATTEMPT_TIMEOUT_MS = 500;

interface DialTarget {
  readonly addresses: readonly string[];
  readonly port: number;
}

export type Dial = (target: DialTarget) => Socket;

export function dialTcp({ addresses, port }: DialTarget): Socket {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return connect({
    // Never looked up: the answer is already here.
    host: "checked.invalid",
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    lookup: (_host, _options, answer) => answer(null, answers),
  });
}

export async function resolveBySystem(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
}

const LOCAL_NAMES = ["localdomain", "local", "internal"].map((name) => ({
  name,
  isWildcard: true,
}));

/** By these names clouds hand out credentials; a proxy would look them up for us. */
const METADATA_NAMES = [
  "metadata.google.internal",
  "metadata.goog",
  "instance-data.ec2.internal",
].map((name) => ({ name, isWildcard: false }));

/** All are judged; this many are tried. */
const MAX_TRIED_ADDRESSES = 8;
const LOOPBACK_ADDRESSES = ["127.0.0.1", "::1"];

export type ResolveName = (host: string) => Promise<readonly string[]>;

interface FindRequest {
  readonly url: URL;
  readonly rules: AddressRules;
  readonly resolve: ResolveName;
}

/** Rejects with `denied` when the host or one of its addresses is not allowed. */
export async function findAddresses(request: FindRequest): Promise<readonly string[]> {
  const { url, rules, resolve } = request;
  const host = hostOf(url);
  const asCase = judgeHost(host, rules);
  const found = await lookUp(host, resolve);
  if (found.length === 0) throw nameNotFound(host);
  for (const address of found) judgeAddress(address, asCase);
  return found.slice(0, MAX_TRIED_ADDRESSES);
}

function lookUp(host: string, resolve: ResolveName): Promise<readonly string[]> | string[] {
  if (parseAddress(host)) return [host];
  return isLoopbackName(host) ? LOOPBACK_ADDRESSES : resolve(host);
}

/** For a proxy, which looks the name up itself. */
export function judgeUnresolved(url: URL, rules: AddressRules): void {
  const host = hostOf(url);
  const asCase = judgeHost(host, rules);
  if (parseAddress(host)) judgeAddress(host, asCase);
}

function judgeHost(host: string, rules: AddressRules): AddressCase {
  const { allowed, blocked, only, policy, key } = rules;
  if (matchesHost(host, blocked)) {
    throw hostRefused({
      host,
      rule: `${key}.blockedHostnames names it`,
      advice: `take it out of ${key}.blockedHostnames to reach it`,
    });
  }
  if (only && !matchesHost(host, only)) {
    throw hostRefused({
      host,
      rule: `${key}.hostnameAllowlist does not name it`,
      advice: `add it to ${key}.hostnameAllowlist to reach it`,
    });
  }
  if (matchesHost(host, METADATA_NAMES)) {
    throw addressRefused({
      host,
      what: "gives out credentials of a cloud",
      keys: [],
      policyKey: key,
    });
  }
  const isAllowed = matchesHost(host, allowed);
  const isOpen = isAllowed || policy.dangerouslyAllowPrivateNetwork === true;
  if (!isOpen && (matchesHost(host, LOCAL_NAMES) || isLoopbackName(host))) {
    throw addressRefused({
      host,
      what: "is a name of this machine or its network",
      keys: ["allowedHostnames", "dangerouslyAllowPrivateNetwork"],
      policyKey: key,
    });
  }
  return { host, isAllowed, policy, policyKey: key };
}
