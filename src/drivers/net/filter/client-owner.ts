// Whose a connection to the proxy is. Every user of a machine reaches its loopback; on Linux the kernel
// says whose a socket is, so that the proxy serves the user it runs for and nobody else.

import { readFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { endianness } from "node:os";

const TABLE = "/proc/net/tcp";
/** Columns of the table, counted from 0. */
const LOCAL_COLUMN = 1;
const REMOTE_COLUMN = 2;
const USER_COLUMN = 7;
const SPACES = /\s+/;
const LOOPBACK = "127.0.0.1";

/** Whether this process's user made the connection. */
export type IsOwnClient = (client: Socket) => Promise<boolean>;

/** Everybody's, where the system does not say whose a connection is. */
export async function createOwnerCheck(): Promise<IsOwnClient> {
  const user = process.getuid?.();
  if (user === undefined) return async () => true;
  const isOwn: IsOwnClient = async (client) => (await readUser(client)) === user;
  return (await isKnown(isOwn)) ? isOwn : async () => true;
}

async function readUser(client: Socket): Promise<number | undefined> {
  const { remoteAddress, remotePort, localAddress, localPort } = client;
  // Seen from the other end.
  const local = toEntry(remoteAddress, remotePort);
  const remote = toEntry(localAddress, localPort);
  const rows = (await readFile(TABLE, "latin1")).split("\n");
  for (const row of rows) {
    const columns = row.trim().split(SPACES);
    if (columns[LOCAL_COLUMN] !== local || columns[REMOTE_COLUMN] !== remote) continue;
    return Number(columns[USER_COLUMN]);
  }
  return undefined;
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
