// The Gateway port over a WebSocket: connects, shakes hands with the shared token, and calls one method.
// A connection lasts for one call.

import { ToolError, ToolInputError } from "../../core/index.js";
import type { Gateway, GatewayCall } from "../../core/server.js";
import { errnoOf } from "../../lib/errno.js";
import { readField, readText } from "../../lib/read-field.js";
import { readOwnVersion } from "../../lib/system/own-version.js";
import { fromWireError, MAX_AUTHENTICATED_BYTES, PROTOCOL_VERSIONS } from "../../protocol/index.js";

const DEFAULT_TIMEOUT_MS = 10_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const [NEWEST] = PROTOCOL_VERSIONS;
const OLDEST = PROTOCOL_VERSIONS.at(-1) ?? NEWEST;

interface GatewayClientOptions {
  /** `ws://127.0.0.1:18789`. */
  readonly url: string;
  /** The shared secret of that gateway; undefined when there is none yet. */
  readonly readToken: () => Promise<string | undefined>;
}

export function createGatewayClient({ url, readToken }: GatewayClientOptions): Gateway {
  return {
    configHashes: new Map(),
    async call(request) {
      const isOther = request.url !== undefined;
      if (isOther && request.token === undefined) {
        throw new ToolInputError("gatewayUrl needs gatewayToken.", {
          reason: "gateway_token_missing",
        });
      }
      const target = readAddress(request.url ?? url);
      const token = isOther ? request.token : await readToken();
      return await callOnce(request, { target, token });
    },
    close: () => Promise.resolve(),
  };
}

/** Plain text leaves this machine only over TLS. */
function readAddress(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = address !== undefined && LOOPBACK.test(address.hostname);
  if (address?.protocol === "wss:" || (address?.protocol === "ws:" && isLocal)) return address;
  throw new ToolInputError(
    `"${text}" is not a gateway address. Use ws://127.0.0.1:PORT, or wss:// for another machine.`,
    { reason: "gateway_url_invalid" },
  );
}

interface Target {
  readonly target: URL;
  readonly token: string | undefined;
}

async function callOnce(request: GatewayCall, { target, token }: Target): Promise<unknown> {
  const { method, params = {}, timeoutMs = DEFAULT_TIMEOUT_MS, signal, onEvent } = request;
  const { WebSocket: Socket } = await import("ws");
  signal.throwIfAborted();
  const socket = new Socket(target, { maxPayload: MAX_AUTHENTICATED_BYTES });
  const connect = {
    minProtocol: OLDEST,
    maxProtocol: NEWEST,
    client: { id: "cli", version: readOwnVersion(), platform: process.platform, mode: "cli" },
    role: "operator",
    ...(token === undefined ? {} : { auth: { token, password: token } }),
  };
  const send = (id: string, name: string, values: unknown) =>
    socket.send(JSON.stringify({ type: "req", id, method: name, params: values }));
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => reject(tooLate(method, timeoutMs)), timeoutMs);
      const abort = () => reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      socket.on("close", (_code, reason) => reject(closedEarly(method, String(reason))));
      socket.on("error", (error) => reject(unreachable(target, error)));
      socket.on("message", (data) => {
        const frame = parseFrame(String(data));
        const id = readField(frame, "id");
        const event = readText(frame, "event");
        const payload = readField(frame, "payload");
        if (event === "connect.challenge") send("connect", "connect", connect);
        else if (event !== undefined) onEvent?.(event, payload);
        if (id !== "connect" && id !== "call") return;
        if (readField(frame, "ok") !== true) reject(fromWireError(readField(frame, "error")));
        else if (id === "connect") send("call", method, params);
        else if (onEvent === undefined || readField(payload, "status") !== "accepted")
          resolve(payload);
      });
      socket.once("close", () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
      });
    });
  } finally {
    socket.terminate();
  }
}

function parseFrame(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A frame that is not JSON is not the answer; the timeout or the close ends the call.
    return undefined;
  }
}

function unreachable({ host }: URL, cause: Error): ToolError {
  const why = errnoOf(cause) === "ECONNREFUSED" ? "" : ` (${cause.message})`;
  return new ToolError(
    "unavailable",
    `The gateway is not running at ${host}${why}. Start it with \`clawtools gateway\`.`,
    { reason: "gateway_not_running", cause },
  );
}

function closedEarly(method: string, reason: string): ToolError {
  const why = reason === "" ? "" : ` (${reason})`;
  return new ToolError(
    "unavailable",
    `The gateway closed the connection before it answered ${method}${why}. Check its state before you retry.`,
    { reason: "gateway_closed" },
  );
}

function tooLate(method: string, timeoutMs: number): ToolError {
  return new ToolError(
    "timeout",
    `The gateway did not answer ${method} within ${timeoutMs} ms. Check its state before you retry.`,
    { reason: "gateway_timeout" },
  );
}
