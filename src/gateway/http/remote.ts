// Where a request came from: this machine, another one, or a proxy whose headers are believed.

import type { IncomingMessage } from "node:http";
import type { ClawtoolsConfig } from "../../config/index.js";
import type { RemoteFacts } from "../auth/authenticate.js";

const FORWARDING_HEADERS = ["forwarded", "x-forwarded-for", "x-real-ip", "x-forwarded-host"];
const DEFAULT_USER_HEADER = "x-forwarded-user";
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** undefined: the headers come from an untrusted proxy, so the client's address is unknown. */
export function readRemote(
  request: IncomingMessage,
  config: ClawtoolsConfig,
): RemoteFacts | undefined {
  const peer = toPlainAddress(request.socket.remoteAddress ?? "");
  const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined);
  const { trustedProxies = [], auth } = config.gateway ?? {};
  const isTrusted = trustedProxies.includes(peer);
  if (isForwarded && !isTrusted) return undefined;
  if (!isTrusted) return { address: peer, isLocal: isLoopback(peer) };
  const chain = String(request.headers["x-forwarded-for"] ?? "").split(",");
  const address = toPlainAddress(chain.at(-1)?.trim() || peer);
  const userHeader = auth?.trustedProxy?.userHeader ?? DEFAULT_USER_HEADER;
  const user = request.headers[userHeader.toLowerCase()];
  const proxyUser = typeof user === "string" && user !== "" ? user : undefined;
  return { address, isLocal: false, proxyUser };
}

export function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

function toPlainAddress(address: string): string {
  return address.replace(MAPPED, "");
}
