// Lets other processes of this user share the browser: a private socket, one DevTools session each.

import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { readField } from "../../../lib/read-field.js";

const SOCKET_NAME = "join.sock";
const SOCKET_MODE = 0o600;
const FOLDER_MODE = 0o700;
const MAX_PATH_BYTES = 103;
/** Above all ids that Playwright uses. */
const FIRST_ID = 1_000_000_000;

interface Pipe {
  onmessage?: ((message: CdpMessage) => void) | undefined;
  send(message: CdpMessage): void;
}

/** undefined: no socket possible, so only this process uses the browser. */
export async function serveJoins(browser: Browser | null, folder: string) {
  const socketPath = join(folder, SOCKET_NAME);
  const pipe = findPipe(browser);
  if (process.platform === "win32" || Buffer.byteLength(socketPath) > MAX_PATH_BYTES)
    return undefined;
  if (pipe === undefined) return undefined;
  // Every message passes a relay, so there is none before the first process joins.
  let relay: ReturnType<typeof createRelay> | undefined;
  const server = createServer((socket) => {
    relay ??= createRelay(pipe);
    relay.add(socket);
  });
  // The socket gets its mode only after it exists.
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
      relay?.close();
      await closed;
    },
  };
}

/** The pinned Playwright version has no public name for its pipe. */
function findPipe(browser: Browser | null): Pipe | undefined {
  const toImpl = readField(readField(browser, "_connection"), "toImpl");
  if (typeof toImpl !== "function") return undefined;
  const pipe = readField(readField(toImpl(browser), "_connection"), "_transport");
  const isPipe = typeof readField(pipe, "send") === "function";
  return isPipe && typeof readField(pipe, "onmessage") === "function" ? (pipe as Pipe) : undefined;
}

function createRelay(pipe: Pipe) {
  const own = pipe.onmessage;
  const sockets = new Set<Socket>();
  const sessions = new Map<string, (message: CdpMessage) => void>();
  const asked = new Map<number, (answer: CdpMessage) => void>();
  let lastId = FIRST_ID;

  function ask(message: CdpMessage, onAnswer: (answer: CdpMessage) => void): void {
    lastId += 1;
    asked.set(lastId, onAnswer);
    try {
      pipe.send({ ...message, id: lastId });
    } catch {
      asked.delete(lastId);
    }
  }

  pipe.onmessage = (message) => {
    const { id = 0, method, params, sessionId = "" } = message;
    const take = asked.get(id) ?? sessions.get(sessionId) ?? own;
    asked.delete(id);
    const child = String(readField(params, "sessionId"));
    if (method === "Target.detachedFromTarget") sessions.delete(child);
    if (method === "Target.attachedToTarget" && take && take !== own) sessions.set(child, take);
    take?.(message);
  };

  return {
    add(socket: Socket): void {
      let root: string | undefined;
      const give = ({ sessionId, ...message }: CdpMessage) =>
        sendMessage(socket, sessionId === root ? message : { ...message, sessionId });
      const leave = () => {
        sockets.delete(socket);
        for (const [id, taker] of sessions) if (taker === give) sessions.delete(id);
        const params = { sessionId: root };
        if (root) ask({ method: "Target.detachFromTarget", params }, () => undefined);
      };
      sockets.add(socket);
      socket.on("error", () => socket.destroy()).once("close", leave);
      ask({ method: "Target.attachToBrowserTarget" }, ({ result }) => {
        root = String(readField(result, "sessionId"));
        sessions.set(root, give);
        if (socket.destroyed) leave();
        onMessages(socket, ({ id, sessionId = root, ...message }) =>
          ask({ ...message, sessionId }, (answer) => give({ ...answer, id })),
        );
      });
    },
    close(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface CdpMessage {
  readonly id?: number | undefined;
  readonly method?: string | undefined;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly sessionId?: string | undefined;
}

export function sendMessage(socket: Socket, message: object): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

export function onMessages(socket: Socket, take: (message: CdpMessage) => void): void {
  let parts: string[] = [];
  socket.setEncoding("utf8").on("data", (part: string) => {
    parts.push(part);
    // Joined only when a line is complete: a picture comes in hundreds of parts.
    if (!part.includes("\n")) return;
    const lines = parts.join("").split("\n");
    parts = lines.splice(-1);
    for (const line of lines) take(JSON.parse(line));
  });
}
