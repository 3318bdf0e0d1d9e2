// The open connections that have said hello: who they are, events to them, ticks, and their end.

import type { WebSocket } from "ws";
import type { Clock } from "../../core/index.js";
import {
  type ConnectParams,
  coversScope,
  type Principal,
  toEventFrame,
} from "../../protocol/index.js";
import { type EventOptions, type GatewayEvents, scopeOfEvent } from "../events.js";

export const TICK_INTERVAL_MS = 30_000;
const PING_INTERVAL_MS = 25_000;
/** A client that leaves more unread is closed. */
export const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
/** Of all clients together, so that many who do not read cannot exhaust the memory. */
const MAX_BUFFERED_TOTAL = 512 * 1024 * 1024;
/** A closing handshake that takes longer is cut. */
const CLOSE_LIMIT_MS = 2_000;
const POLICY_VIOLATION = 1008;
const SERVICE_RESTART = 1012;
const MAX_PRESENCE = 200;
/** Clients that connect for one request are not worth an announcement. */
const PASSING_MODES: ReadonlySet<string> = new Set(["cli", "probe", "backend", "test"]);

export interface Connection {
  readonly connId: string;
  readonly principal: Principal;
  readonly params: ConnectParams;
  readonly address: string;
  readonly connectedAtMs: number;
  /** undefined for a client that reads too slowly, and was closed. */
  send(event: string, payload: unknown, options?: EventOptions): void;
  sendText(text: string): void;
  close(code: number, reason: string): void;
}

interface PresenceEntry {
  readonly ts: number;
  readonly [field: string]: unknown;
}

export type Connections = ReturnType<typeof createConnections>;

export function createConnections(options: {
  readonly clock: Clock;
  readonly self: () => PresenceEntry;
  /** A connection that others can see came or went. */
  readonly onPresence: () => void;
}) {
  const { clock, self, onPresence } = options;
  const open = new Map<string, { readonly connection: Connection; readonly socket: WebSocket }>();
  /** Pinged, and nothing came since. */
  const silent = new WeakSet<WebSocket>();
  let presenceVersion = 0;

  const isShown = ({ params, principal }: Connection) =>
    principal.deviceId !== undefined && !PASSING_MODES.has(params.client.mode);

  const bufferLimit = () => Math.min(MAX_BUFFERED_BYTES, MAX_BUFFERED_TOTAL / open.size);

  function noteChange(connection: Connection): void {
    if (!isShown(connection)) return;
    presenceVersion++;
    onPresence();
  }

  const emit: GatewayEvents["emit"] = (event, payload, options) => {
    const scope = scopeOfEvent(event);
    for (const { connection } of open.values()) {
      const { role, scopes } = connection.principal;
      const maySee = scope === "none" || (role === "operator" && coversScope(scopes, scope));
      if (maySee) connection.send(event, payload, options);
    }
  };

  return {
    emit,
    get count(): number {
      return open.size;
    },
    list: (): readonly Connection[] => [...open.values()].map(({ connection }) => connection),
    add(socket: WebSocket, facts: Omit<Connection, "send" | "sendText" | "close">): Connection {
      const connection = { ...facts, ...createSender(socket, bufferLimit) };
      open.set(facts.connId, { connection, socket });
      socket.on("pong", () => silent.delete(socket));
      socket.on("message", () => silent.delete(socket));
      socket.once("close", () => {
        open.delete(facts.connId);
        noteChange(connection);
      });
      noteChange(connection);
      return connection;
    },
    /** Ends those of a device, of one role where one is given. */
    closeDevice(deviceId: string, role?: string): void {
      for (const { connection } of open.values()) {
        const { principal } = connection;
        if (principal.deviceId !== deviceId || (role ?? principal.role) !== principal.role)
          continue;
        connection.close(POLICY_VIOLATION, "device access was revoked");
      }
    },
    presence(): { readonly entries: PresenceEntry[]; readonly version: number } {
      const shown = [...open.values()].map(({ connection }) => connection).filter(isShown);
      const entries = shown.slice(-MAX_PRESENCE).map(toPresence);
      return { entries: [self(), ...entries], version: presenceVersion };
    },
    /** A tick for clients, and a ping whose missing answer ends a socket. The returned function ends it. */
    startBeat(): () => void {
      const tick = setInterval(() => {
        emit("tick", { ts: Math.floor(clock.now()) }, { dropIfSlow: true });
      }, TICK_INTERVAL_MS);
      const ping = setInterval(() => {
        for (const { socket } of open.values()) {
          if (silent.has(socket)) socket.terminate();
          else {
            silent.add(socket);
            socket.ping();
          }
        }
      }, PING_INTERVAL_MS);
      return () => {
        clearInterval(tick);
        clearInterval(ping);
      };
    },
    /** Tells all of them, and ends them. */
    async shutDown(reason: string, restartExpectedMs?: number): Promise<void> {
      const sockets = [...open.values()];
      const payload = { reason, ...(restartExpectedMs === undefined ? {} : { restartExpectedMs }) };
      const closed = sockets.map(({ socket }) => new Promise((done) => socket.once("close", done)));
      for (const { connection } of sockets) {
        connection.send("shutdown", payload);
        connection.close(SERVICE_RESTART, "service restart");
      }
      const stop = clock.after(CLOSE_LIMIT_MS, () => {
        for (const { socket } of sockets) socket.terminate();
      });
      await Promise.all(closed);
      stop();
    },
  };
}

function createSender(
  socket: WebSocket,
  bufferLimit: () => number,
): Pick<Connection, "send" | "sendText" | "close"> {
  let sequence = 0;
  const isOpen = () => socket.readyState === socket.OPEN;

  function close(code: number, reason: string): void {
    if (!isOpen()) return;
    socket.close(code, reason);
    // A client that does not answer the close is cut.
    setTimeout(() => socket.terminate(), CLOSE_LIMIT_MS).unref();
  }

  function isTooSlow(): boolean {
    if (socket.bufferedAmount <= bufferLimit()) return false;
    // Nothing can be said to a client that does not read.
    socket.terminate();
    return true;
  }

  return {
    close,
    sendText(text) {
      if (isOpen() && !isTooSlow()) socket.send(text);
    },
    send(event, payload, { dropIfSlow = false } = {}) {
      if (!isOpen()) return;
      if (dropIfSlow && socket.bufferedAmount > bufferLimit() / 4) return;
      if (isTooSlow()) return;
      socket.send(toEventFrame({ event, payload, seq: ++sequence }));
    },
  };
}

function toPresence({ principal, params, address, connectedAtMs }: Connection): PresenceEntry {
  const { client } = params;
  const { role, scopes, deviceId } = principal;
  const texts = {
    host: client.displayName ?? client.id,
    ip: address,
    version: client.version,
    platform: client.platform,
    deviceFamily: client.deviceFamily,
    modelIdentifier: client.modelIdentifier,
    mode: client.mode,
    deviceId,
    instanceId: client.instanceId,
  };
  const filled = Object.entries(texts).filter(([, text]) => text !== undefined && text !== "");
  return {
    ...Object.fromEntries(filled),
    reason: "connect",
    roles: [role],
    scopes: [...scopes],
    ts: connectedAtMs,
  };
}
