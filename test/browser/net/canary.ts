// Hosts that no page may reach: every loopback address that is no page's server listens here, and each
// kind of request has one of its own. A connection counts, whatever comes over it, and so does a packet.
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { REQUEST_KINDS } from "./request-kinds.js";

const EVERY_ADDRESS = "0.0.0.0";
const IPV6_LOOPBACK = "::1";

export interface Canary {
  readonly port: number;
  /** Names of the kinds that were seen, and the addresses that belong to none. */
  seen(): ReadonlySet<string>;
  forget(): void;
  close(): Promise<void>;
}

export const addressOf = (index: number): string => `127.0.1.${index + 1}`;

export async function createCanary(): Promise<Canary> {
  const seen = new Set<string>();
  const note = (address: string) => {
    const index = REQUEST_KINDS.findIndex((_kind, at) => addressOf(at) === address);
    seen.add(REQUEST_KINDS[index]?.name ?? address);
  };
  const v4 = createServer((_request, response) => void response.end("canary"));
  await new Promise<void>((resolve) => v4.listen(0, EVERY_ADDRESS, resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = v4.address() as AddressInfo;
  const v6 = createServer((_request, response) => void response.end("canary"));
  await new Promise<void>((resolve) => v6.listen(port, IPV6_LOOPBACK, resolve));
  for (const server of [v4, v6]) {
    server.on("connection", (socket) => note(socket.localAddress ?? "nowhere"));
  }
  const packets = await Promise.all(
    ["127.0.0.1", ...REQUEST_KINDS.map((_kind, index) => addressOf(index))].map((address) =>
      listenUdp({ address, port, note }),
    ),
  );
  return {
    port,
    seen: () => seen,
    forget: () => seen.clear(),
    async close() {
      await Promise.all(packets.map((socket) => new Promise<void>((end) => socket.close(end))));
      for (const server of [v4, v6]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function listenUdp(request: {
  readonly address: string;
  readonly port: number;
  readonly note: (address: string) => void;
}): Promise<UdpSocket> {
  const { address, port, note } = request;
  return new Promise((resolve, reject) => {
    const socket = createSocket("udp4", () => note(address));
    socket.once("error", reject);
    socket.bind(port, address, () => resolve(socket));
  });
}
