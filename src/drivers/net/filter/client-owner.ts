// Whose a connection to the proxy is. Every user of a machine reaches its loopback; on Linux the kernel
// says whose a socket is, so that the proxy serves the user it runs for and no one else.

import { readFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { endianness } from "node:os";

const TABLE = "/proc/net/tcp";
/** Behind both addresses: state, queues, timer, retransmissions, and then the user. */
const USER = /^(?: \S+){4} +(\d+)/;
/** A row has less. */
const MAX_ROW_CHARS = 200;
/** The table is read in pieces while it changes, so that a row may be missed. */
const MAX_READINGS = 3;
const LOOPBACK = "127.0.0.1";

/** Whether this process's user made the connection. */
export type IsOwnClient = (client: Socket) => Promise<boolean>;

/** Everybody's, where the system does not say whose a connection is. */
export async function createOwnerCheck(): Promise<IsOwnClient> {
  const user = process.getuid?.();
  if (user === undefined) return async () => true;
  const readTable = createSharedRead(() => readFile(TABLE, "latin1"));
  const isOwn: IsOwnClient = async (client) => {
    for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
      const found = findUser(client, await readTable());
      if (found !== undefined) return found === user;
    }
    return false;
  };
  return (await isKnown(isOwn)) ? isOwn : async () => true;
}

/** One reading for all who asked before it began: the kernel walks a large table for each. */
function createSharedRead(read: () => Promise<string>): () => Promise<string> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<string> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const reading = read();
      running = reading.catch(() => undefined);
      return reading;
    });
    return next;
  };
}

function findUser(client: Socket, table: string): number | undefined {
  const { remoteAddress, remotePort, localAddress, localPort } = client;
  // Seen from the other end.
  const entry = ` ${toEntry(remoteAddress, remotePort)} ${toEntry(localAddress, localPort)}`;
  const at = table.indexOf(entry);
  const found = at === -1 ? null : USER.exec(table.slice(at + entry.length, at + MAX_ROW_CHARS));
  return found ? Number(found[1]) : undefined;
}

/** As the kernel writes it: the address in the order of the machine, both in hexadecimal digits. */
function toEntry(address = "", port = 0): string {
  const bytes = address.split(".").map((byte) => Number(byte).toString(16).padStart(2, "0"));
  const ordered = endianness() === "LE" ? bytes.reverse() : bytes;
  return `${ordered.join("")}:${port.toString(16).padStart(4, "0")}`.toUpperCase();
}

/** By a connection that is surely ours; some containers have another table, or none. */
function isKnown(isOwn: IsOwnClient): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer(async (accepted) => {
      const answer = await isOwn(accepted).catch(() => false);
      accepted.destroy();
      client?.destroy();
      server.close(() => resolve(answer));
    });
    let client: Socket | undefined;
    server.on("error", () => resolve(false));
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      if (address === null || typeof address === "string") return resolve(false);
      client = connect({ host: LOOPBACK, port: address.port });
      client.on("error", () => undefined);
    });
  });
}
