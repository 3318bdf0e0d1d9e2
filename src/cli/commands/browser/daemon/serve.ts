// Keeps a browser open for the other commands: answers their calls until it is asked to stop.

import { chmod, unlink } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { ToolError } from "../../../../core/index.js";
import { isMissing } from "../../../../lib/errno.js";
import { makeFolder } from "../../../../lib/make-folder.js";
import { type DaemonAnswer, parseRequest, readLine } from "./message.js";

const FOLDER_MODE = 0o700;
const SOCKET_MODE = 0o600;
/** The lowest limit of all systems (macOS), with the terminating zero. */
const MAX_PATH_BYTES = 103;
const SILENT_MS = 10_000;

export interface Holding {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  answer(call: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<DaemonAnswer>;
}

export async function serveDaemon(holding: Holding): Promise<void> {
  const { path, signal } = holding;
  await clearPath(path);
  const ending = new AbortController();
  const server = createServer((socket) => void serveOne(socket, { holding, ending }));
  try {
    await listen(server, path);
    holding.onOpen();
    await untilAborted(AbortSignal.any([signal, ending.signal]));
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

/** Only the owner can reach a socket in this folder, so a leftover socket is safe to remove. */
async function clearPath(path: string): Promise<void> {
  if (process.platform === "win32") return;
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    const message = `The path of the state folder is too long for a socket (${path}); choose a shorter one with --state-dir.`;
    throw new ToolError("unavailable", message, { reason: "browser_not_open" });
  }
  await makeFolder(dirname(path), FOLDER_MODE);
  await unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  if (process.platform !== "win32") await chmod(path, SOCKET_MODE);
}

async function serveOne(
  socket: Socket,
  { holding, ending }: { readonly holding: Holding; readonly ending: AbortController },
): Promise<void> {
  const gone = new AbortController();
  socket.once("close", () => gone.abort());
  socket.on("error", () => gone.abort());
  const silent = setTimeout(() => socket.destroy(), SILENT_MS);
  const line = await readLine(socket);
  clearTimeout(silent);
  const request = line === undefined ? undefined : parseRequest(line);
  if (request === undefined) {
    socket.destroy();
    return;
  }
  const answer =
    "stop" in request ? STOPPED : await holding.answer(request.call, gone.signal).catch(toAnswer);
  socket.end(`${JSON.stringify(answer)}\n`);
  if ("stop" in request) ending.abort();
}

const STOPPED: DaemonAnswer = {
  content: [{ type: "text", text: "The browser ends." }],
  details: { ok: true },
  isError: false,
};

/** Only the abort of a caller who is gone is thrown. */
function toAnswer(error: unknown): DaemonAnswer {
  const text = error instanceof Error ? error.message : String(error);
  return { content: [{ type: "text", text }], details: { error: text }, isError: true };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
