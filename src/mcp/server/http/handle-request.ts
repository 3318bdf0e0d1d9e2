// One HTTP request after the other: let in by the guard, then by its method.

import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { RPC_CODES, RpcError, toErrorResponse } from "../protocol/json-rpc.js";
import { parseJson } from "../protocol/parse-json.js";
import { isProtocolVersion } from "../protocol/versions.js";
import { openEventStream } from "./event-stream.js";
import { type GuardOptions, judgeRequest, type Refusal } from "./guard.js";
import type { HttpSession, HttpSessions } from "./http-sessions.js";
import { readBody } from "./read-body.js";
import { createReply } from "./reply.js";

const SESSION_HEADER = "mcp-session-id";
const VERSION_HEADER = "mcp-protocol-version";

export interface HandlerOptions {
  readonly sessions: HttpSessions;
  readonly guard: GuardOptions;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export function createHandler({ sessions, guard }: HandlerOptions): Handler {
  return (request, response) => {
    const refusal = judgeRequest(request, guard) ?? judgeVersion(request);
    if (refusal) return refuse({ request, response }, refusal);
    handle({ request, response }, sessions).catch((error: unknown) => {
      // The client went away in the middle of its request, or broke the protocol of HTTP.
      if (response.headersSent) response.destroy();
      else refuse({ request, response }, toRefusal(error));
    });
  };
}

interface Pair {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function handle(pair: Pair, sessions: HttpSessions): Promise<void> {
  const { method } = pair.request;
  if (method === "POST") return await post(pair, sessions);
  const found = findSession(pair.request, sessions);
  if ("status" in found) return refuse(pair, found);
  if (method === "GET") return openStream(pair, found);
  sessions.end(found);
  pair.response.writeHead(204).end();
}

async function post(pair: Pair, sessions: HttpSessions): Promise<void> {
  const { request, response } = pair;
  const isNew = request.headers[SESSION_HEADER] === undefined;
  const found = isNew ? undefined : findSession(request, sessions);
  if (found && "status" in found) return refuse(pair, found);
  const value = parseJson(await readBody(request));
  if (found === undefined && !isInitialize(value)) return refuse(pair, NO_SESSION);
  const session = found ?? sessions.open();
  if (session === undefined) return refuse(pair, TOO_MANY);
  if (found === undefined) response.setHeader("Mcp-Session-Id", session.id);
  await answer(pair, { session, value });
}

async function answer(
  { request, response }: Pair,
  { session, value }: { readonly session: HttpSession; readonly value: unknown },
): Promise<void> {
  const gone = new AbortController();
  // A batch has many requests, and each listens.
  setMaxListeners(0, gone.signal);
  const reply = createReply(request, response);
  // An answer that cannot be delivered is not worth going on for; streams are not resumed.
  response.once("close", () => {
    if (!response.writableEnded) gone.abort();
  });
  session.openCount++;
  try {
    const given = await session.session.receive(value, {
      outlet: reply,
      canAsk: reply.canStream,
      signal: gone.signal,
    });
    reply.end(given);
  } finally {
    session.openCount--;
    session.lastUsedMs = performance.now();
  }
}

function openStream(pair: Pair, session: HttpSession): void {
  if (session.stream !== undefined) {
    refuse(pair, { status: 409, message: "This session has an open stream already." });
    return;
  }
  const stream = openEventStream(pair.response);
  session.attach(stream);
  pair.response.once("close", () => {
    if (session.stream === stream) session.stream = undefined;
    session.lastUsedMs = performance.now();
  });
}

const NO_SESSION: Refusal = {
  status: 400,
  message: "Send initialize first, then its Mcp-Session-Id with every request.",
};
const TOO_MANY: Refusal = { status: 503, message: "Too many sessions are open." };

function findSession(request: IncomingMessage, sessions: HttpSessions): HttpSession | Refusal {
  const id = request.headers[SESSION_HEADER];
  if (typeof id !== "string") return NO_SESSION;
  const session = sessions.find(id);
  if (session) session.lastUsedMs = performance.now();
  return session ?? { status: 404, message: "There is no such session any more; initialize anew." };
}

function judgeVersion({ headers }: IncomingMessage): Refusal | undefined {
  const version = headers[VERSION_HEADER];
  if (version === undefined || isProtocolVersion(version)) return undefined;
  return { status: 400, message: "This version of the protocol is not spoken here." };
}

function isInitialize(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && Reflect.get(value, "method") === "initialize"
  );
}

function toRefusal(error: unknown): Refusal & { readonly code?: number } {
  if (!(error instanceof RpcError)) return { status: 500, message: "The server failed." };
  const status = error.code === RPC_CODES.parse ? 400 : 413;
  return { status, message: error.message, code: error.code };
}

/** What is left of the body is not read: the connection ends with the answer. */
function refuse(
  { request, response }: Pair,
  { status, message, headers = {}, code }: Refusal & { readonly code?: number },
): void {
  const error = new RpcError(code ?? RPC_CODES.invalidRequest, message);
  const text = JSON.stringify(toErrorResponse(null, error));
  const isUnread = !request.complete;
  response
    .writeHead(status, {
      ...headers,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
      ...(isUnread ? { Connection: "close" } : {}),
    })
    .end(text);
}
