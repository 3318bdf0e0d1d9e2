// Lets other processes of this user join a browser that is driven by a pipe: a socket only its owner can
// open, whose clients each get a DevTools session of their own on that pipe.

import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { readField } from "../../../lib/read-field.js";
import { type CdpMessage, onMessages, sendMessage } from "./messages.js";

const SOCKET_NAME = "join.sock";
const SOCKET_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** The shortest limit of the systems, macOS, with its ending zero. */
const MAX_PATH_BYTES = 103;
/** Far above the numbers that Playwright gives its own messages. */
const FIRST_ID = 1_000_000_000;

/** What Playwright sends over the pipe and hears from it. */
interface Pipe {
  onmessage?: ((message: CdpMessage) => void) | undefined;
  send(message: CdpMessage): void;
}

export interface Joins {
  readonly socketPath: string;
  close(): Promise<void>;
}

/** undefined where the socket cannot be: then only this process uses the browser. */
export async function serveJoins(
  browser: Browser | null,
  folder: string,
): Promise<Joins | undefined> {
  const socketPath = join(folder, SOCKET_NAME);
  const pipe = findPipe(browser);
  if (process.platform === "win32" || Buffer.byteLength(socketPath) > MAX_PATH_BYTES)
    return undefined;
  if (pipe === undefined) return undefined;
  const relay = createRelay(pipe);
  const server = createServer(relay.add);
  // The folder first: the socket gets its mode only once it is there.
  await chmod(dirname(socketPath), FOLDER_MODE);
  await rm(socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  await chmod(socketPath, SOCKET_MODE);
  return {
    socketPath,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      relay.close();
      await closed;
    },
  };
}

/** Playwright is pinned to one version; its pipe has no public name. */
function findPipe(browser: Browser | null): Pipe | undefined {
  const toImpl = readField(readField(browser, "_connection"), "toImpl");
  if (typeof toImpl !== "function") return undefined;
  const pipe = readField(readField(toImpl(browser), "_connection"), "_transport");
  const isPipe = typeof readField(pipe, "send") === "function";
  return isPipe && typeof readField(pipe, "onmessage") === "function" ? (pipe as Pipe) : undefined;
}

interface Client {
  readonly socket: Socket;
  /** Its session with the browser itself; its other sessions come from there. */
  root?: string;
}

function createRelay(pipe: Pipe) {
  const own = pipe.onmessage;
  const clients = new Set<Client>();
  const sessions = new Map<string, Client>();
  const asked = new Map<number, (answer: CdpMessage) => void>();
  let lastId = FIRST_ID;

  function ask(message: CdpMessage, onAnswer: (answer: CdpMessage) => void): void {
    lastId += 1;
    asked.set(lastId, onAnswer);
    try {
      pipe.send({ ...message, id: lastId });
    } catch {
      // The browser is gone; its end closes the sockets too.
      asked.delete(lastId);
    }
  }

  function give(client: Client, { sessionId, ...message }: CdpMessage): void {
    sendMessage(client.socket, sessionId === client.root ? message : { ...message, sessionId });
  }

  pipe.onmessage = (message) => {
    const { id, method, params, sessionId = "" } = message;
    const answer = asked.get(id ?? 0);
    asked.delete(id ?? 0);
    if (answer !== undefined) return answer(message);
    const client = sessions.get(sessionId);
    if (client === undefined) return own?.(message);
    const child = String(readField(params, "sessionId"));
    if (method === "Target.attachedToTarget") sessions.set(child, client);
    if (method === "Target.detachedFromTarget") sessions.delete(child);
    give(client, message);
  };

  function leave(client: Client): void {
    clients.delete(client);
    for (const [id, owner] of sessions) if (owner === client) sessions.delete(id);
    if (client.root === undefined) return;
    const params = { sessionId: client.root };
    ask({ method: "Target.detachFromTarget", params }, () => undefined);
  }

  return {
    add(socket: Socket): void {
      const client: Client = { socket };
      clients.add(client);
      socket.on("error", () => socket.destroy());
      socket.once("close", () => leave(client));
      ask({ method: "Target.attachToBrowserTarget" }, ({ result }) => {
        client.root = String(readField(result, "sessionId"));
        sessions.set(client.root, client);
        if (socket.destroyed) return leave(client);
        onMessages(socket, (message) => {
          const { id, sessionId = client.root } = message;
          ask({ ...message, sessionId }, (answer) => give(client, { ...answer, id }));
        });
      });
    },
    close(): void {
      for (const { socket } of clients) socket.destroy();
    },
  };
}
