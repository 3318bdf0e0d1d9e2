// The sessions of an HTTP server, limited in number and idle time.
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { closedError } from "../../../core/index.js";
import type { OutgoingMessage } from "../json-rpc.js";
import { type Answer, createSession, type Session } from "../session/session.js";
import type { SessionSettings } from "../session/session-parts.js";

const ID_BYTES = 16;
const DEFAULT_MAX_SESSIONS = 64;
const DEFAULT_IDLE_MS = 30 * 60_000;
/** For a client without an open stream. */
const MAX_UNSENT = 32;

export interface HttpSession {
  readonly id: string;
  readonly session: Session;
  /** Running requests. */
  openCount: number;
  lastUsedMs: number;
  /** For messages outside of requests. */
  stream: EventStream | undefined;
  /** Sends what was queued. */
  attach(stream: EventStream): void;
}

export interface HttpServerLimits {
  /** Sessions at once; default 64. */
  readonly maxSessions?: number | undefined;
  /** Default 30 minutes. */
  readonly idleMs?: number | undefined;
}

export type HttpSessions = ReturnType<typeof createHttpSessions>;

export function createHttpSessions(settings: SessionSettings, limits: HttpServerLimits) {
  const { maxSessions = DEFAULT_MAX_SESSIONS, idleMs = DEFAULT_IDLE_MS } = limits;
  const sessions = new Map<string, HttpSession>();

  function end(one: HttpSession, reason?: unknown): void {
    sessions.delete(one.id);
    one.session.close(reason);
    one.stream?.end();
  }

  function dropIdle(sinceMs: number): void {
    for (const one of [...sessions.values()].filter(isIdle)) {
      if (one.lastUsedMs <= sinceMs) end(one);
    }
  }

  function makeRoom(): void {
    if (sessions.size < maxSessions) return;
    const idle = [...sessions.values()].filter(isIdle);
    const [oldest] = idle.sort((one, other) => one.lastUsedMs - other.lastUsedMs);
    if (oldest) end(oldest);
  }

  const sweep = setInterval(() => dropIdle(performance.now() - idleMs), Math.min(idleMs, 30_000));
  sweep.unref();
  return {
    /** undefined when all are in use. */
    open() {
      makeRoom();
      if (sessions.size >= maxSessions) return undefined;
      const opened = openSession(settings);
      sessions.set(opened.id, opened);
      return opened;
    },
    find: (id: string) => sessions.get(id),
    end: (one: HttpSession) => end(one),
    close() {
      clearInterval(sweep);
      const reason = closedError();
      for (const one of [...sessions.values()]) end(one, reason);
    },
  };
}

function isIdle({ openCount, stream, session }: HttpSession): boolean {
  return openCount === 0 && stream === undefined && !session.isBusy();
}

function openSession(settings: SessionSettings): HttpSession {
  const unsent: OutgoingMessage[] = [];
  const send = (message: OutgoingMessage) => {
    if (opened.stream) opened.stream.send(message);
    else if (unsent.length < MAX_UNSENT) unsent.push(message);
  };
  const opened: HttpSession = {
    id: randomBytes(ID_BYTES).toString("hex"),
    session: createSession(settings, { send }),
    openCount: 0,
    lastUsedMs: performance.now(),
    stream: undefined,
    attach(stream) {
      opened.stream = stream;
      for (const message of unsent.splice(0)) stream.send(message);
    },
  };
  return opened;
}

/** A comment that keeps the connection alive. */
const BEAT = ": beat\n\n";
const BEAT_MS = 15_000;
/** More unread output means that the client is gone. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

export type EventStream = ReturnType<typeof openEventStream>;

export function openEventStream(response: ServerResponse) {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
  });
  response.flushHeaders();
  const beat = setInterval(() => response.write(BEAT), BEAT_MS);
  response.once("close", () => clearInterval(beat));
  return {
    send(message: NonNullable<Answer>) {
      if (response.writableEnded || response.destroyed) return;
      if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
      else response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    end() {
      clearInterval(beat);
      response.end();
    },
  };
}
