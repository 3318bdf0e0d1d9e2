// Handles HTTP requests, one method after the other.

import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { WrongSecrets } from "../../../lib/http/limits.js";
import type { Refusal } from "../../../lib/http/request-guard.js";
import {
  decodeText,
  MAX_MESSAGE_BYTES,
  noText,
  type OutgoingMessage,
  parseJson,
  parseMessage,
  RPC_CODES,
  RpcError,
  toErrorResponse,
  tooLarge,
} from "../json-rpc.js";
import type { Answer } from "../session/session.js";
import { isProtocolVersion } from "../versions.js";
import { type GuardOptions, judgeRequest } from "./guard.js";
import {
  type EventStream,
  type HttpSession,
  type HttpSessions,
  openEventStream,
} from "./http-sessions.js";

/** Clients give up without a response head. */
const MAX_SILENCE_MS = 5_000;
const SESSION_HEADER = "mcp-session-id";
const VERSION_HEADER = "mcp-protocol-version";

export interface HandlerOptions {
  readonly sessions: HttpSessions;
  /** undefined lets it in. */
  readonly judge: (request: IncomingMessage) => Refusal | undefined;
  /** Called for each accepted request. */
  readonly trust?: (request: IncomingMessage) => void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export function createHandler(options: HandlerOptions): Handler {
  const { sessions, judge, trust } = options;
  return (request, response) => {
    const refusal = judge(request) ?? judgeVersion(request);
    if (refusal) return refuse({ request, response }, refusal);
    trust?.(request);
    handle({ request, response }, sessions).catch((error: unknown) => {
      // The client disconnected or broke HTTP.
      if (response.headersSent) response.destroy();
      else refuse({ request, response }, toRefusal(error));
    });
  };
}

/** For a server with one token. */
export function createJudge(options: {
  readonly guard: GuardOptions;
  readonly wrongTokens: WrongSecrets;
}): HandlerOptions["judge"] {
  return (request) => {
    const refusal = judgeRequest(request, options.guard);
    return refusal && slowDown(request, { refusal, wrongTokens: options.wrongTokens });
  };
}

/** Many clients first try without a token. */
function slowDown(
  { headers, socket }: IncomingMessage,
  { refusal, wrongTokens }: { readonly refusal: Refusal; readonly wrongTokens: WrongSecrets },
): Refusal {
  if (refusal.status !== 401 || headers.authorization === undefined) return refusal;
  const waitSeconds = wrongTokens.count(socket.remoteAddress ?? "");
  if (waitSeconds === 0) return refusal;
  return {
    status: 429,
    message: "Too many wrong tokens came from this address; try again later.",
    headers: { "Retry-After": String(waitSeconds) },
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
  const value = parseJson(await readBody(request, () => askForBody(pair)));
  const refusal = found === undefined ? refuseFirst(value) : undefined;
  if (refusal) return refuse(pair, refusal);
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
  // Each request of a batch adds a listener.
  setMaxListeners(0, gone.signal);
  const reply = createReply(request, response);
  // Streams are not resumable, so the answer could not be delivered.
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
  return session ?? { status: 404, message: "The session no longer exists; initialize again." };
}

function judgeVersion({ headers }: IncomingMessage): Refusal | undefined {
  const version = headers[VERSION_HEADER];
  if (version === undefined || isProtocolVersion(version)) return undefined;
  return { status: 400, message: "This version of the protocol is not spoken here." };
}

/** Otherwise a session would open that no client knows. */
function refuseFirst(value: unknown): Refusal | undefined {
  const message = parseMessage(value);
  if (message.kind === "invalid") return { status: 400, message: message.message };
  const isFirst = message.kind === "request" && message.method === "initialize";
  return isFirst ? undefined : NO_SESSION;
}

/** `Expect: 100-continue` clients wait for this before they send. */
function askForBody({ request, response }: Pair): void {
  if (request.headers.expect !== undefined) response.writeContinue();
}

function toRefusal(error: unknown): Refusal & { readonly code?: number } {
  if (!(error instanceof RpcError)) return { status: 500, message: "The server failed." };
  const status = error.code === RPC_CODES.parse ? 400 : 413;
  return { status, message: error.message, code: error.code };
}

/** The rest of the body is not read, so the connection ends. */
function refuse(
  { request, response }: Pair,
  { status, message, headers = {}, code }: Refusal & { readonly code?: number },
): void {
  const error = new RpcError(code ?? RPC_CODES.invalidRequest, message);
  const connection = request.complete ? {} : { Connection: "close" };
  const reply = { status, headers: { ...headers, ...connection } };
  endWithJson(response, { ...reply, value: toErrorResponse(null, error) });
}

interface JsonReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly value: unknown;
}

function endWithJson(response: ServerResponse, { status, headers, value }: JsonReply): void {
  const text = JSON.stringify(value);
  const length = Buffer.byteLength(text);
  const own = { "Content-Type": "application/json", "Content-Length": length };
  response.writeHead(status, { ...headers, ...own }).end(text);
}

/** Throws an RpcError when it is too large or not text. */
async function readBody(request: IncomingMessage, onWanted: () => void): Promise<string> {
  const declaredBytes = Number(request.headers["content-length"] ?? 0);
  if (declaredBytes > MAX_MESSAGE_BYTES) throw tooLarge();
  onWanted();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > MAX_MESSAGE_BYTES) throw tooLarge();
    chunks.push(part);
  }
  const text = decodeText(Buffer.concat(chunks));
  if (text === undefined) throw noText();
  return text;
}

function createReply(request: IncomingMessage, response: ServerResponse) {
  const canStream = /\btext\/event-stream\b|\*\/\*/i.test(request.headers.accept ?? "");
  let stream: EventStream | undefined;
  const openStream = () => {
    stream ??= openEventStream(response);
    return stream;
  };
  const timer = canStream ? setTimeout(openStream, MAX_SILENCE_MS) : undefined;
  response.once("close", () => clearTimeout(timer));
  return {
    canStream,
    send(message: OutgoingMessage) {
      if (canStream && !response.writableEnded) openStream().send(message);
    },
    end(answer: Answer) {
      clearTimeout(timer);
      if (response.writableEnded || response.destroyed) return;
      if (stream === undefined && answer === undefined) response.writeHead(202).end();
      else if (stream === undefined) endWithJson(response, { status: 200, value: answer });
      else {
        if (answer !== undefined) stream.send(answer);
        stream.end();
      }
    },
  };
}
