// Joins a browser that another process of ours started behind an equal filter, by its socket.

import { connect, type Socket } from "node:net";
import type { ConnectOverCDPTransport } from "playwright-core";
import { SANDBOX_ON } from "../launch/pid-file.js";
import type { SharedNote } from "../launch/reclaim.js";
import { makeScratch, removeScratch } from "../launch/scratch.js";
import type { Connection } from "../session/connection.js";
import type { Playwright } from "../session/load-playwright.js";
import { within } from "../session/within.js";
import { onMessages, sendMessage } from "./messages.js";

export interface JoinRequest {
  readonly playwright: Playwright;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Rejects with what the socket or Playwright says, or the abort. */
export async function joinBrowser(note: SharedNote, request: JoinRequest): Promise<Connection> {
  const { playwright, timeoutMs, signal } = request;
  const { browser: process, owner, port, sandbox, headless } = note;
  const socket = await openSocket(note.socketPath);
  const scratch = await makeScratch();
  const end = async () => {
    socket.destroy();
    await removeScratch(scratch.folder).catch(() => undefined);
  };
  try {
    const limit = { timeoutMs, signal, what: `process ${owner.pid} to share its browser` };
    const options = { timeout: timeoutMs, artifactsDir: scratch.artifacts };
    const transport = toTransport(socket);
    const browser = await within(limit, () =>
      playwright.chromium.connectOverCDP(transport, options),
    );
    const [context] = browser.contexts();
    if (context === undefined) throw new Error("it shows nothing");
    return {
      ...{ kind: "attached", context, isOurs: false, closesOwnTabs: true, policy: "enforced" },
      ...{ pid: process.pid, cdpPort: port, version: browser.version(), headless, end },
      temporary: scratch.folder,
      ...{ sharedBy: owner.pid, noSandboxReason: sandbox === SANDBOX_ON ? undefined : sandbox },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function openSocket(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.on("error", reject);
  });
}

function toTransport(socket: Socket): ConnectOverCDPTransport {
  const transport: ConnectOverCDPTransport = {
    send: (message) => sendMessage(socket, message),
    close: () => socket.destroy(),
  };
  // Each in a task of its own, as Playwright's own transports do: it begins to listen in between.
  onMessages(socket, (message) => setImmediate(() => transport.onmessage?.(message)));
  socket.once("close", () => transport.onclose?.());
  return transport;
}
