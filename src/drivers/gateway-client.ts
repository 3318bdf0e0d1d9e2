// The Gateway port over a WebSocket: connects, shakes hands with the shared token, and calls one method.
// A connection lasts for one call.
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClawtoolsConfig, GATEWAY_TOKEN_FILE } from "../config/index.js";
import { isToolError, type Net, ToolError, ToolInputError } from "../core/index.js";
import type { Gateway, GatewayCall } from "../core/server.js";
import { errnoOf } from "../lib/errno.js";
import { parseJson } from "../lib/json/parse-json.js";
import { readField, readNumber, readText } from "../lib/read-field.js";
import { readOwnVersion } from "../lib/system/own-version.js";
import { fromWireError, MAX_AUTHENTICATED_BYTES, PROTOCOL_VERSIONS } from "../protocol/index.js";

const DEFAULT_PORT = 18_789;
const DEFAULT_TIMEOUT_MS = 10_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const [NEWEST] = PROTOCOL_VERSIONS;
const OLDEST = PROTOCOL_VERSIONS.at(-1) ?? NEWEST;

interface GatewayClientOptions {
  /** The caller closes it. */
  readonly net: Net;
  readonly config: Pick<ClawtoolsConfig, "gateway">;
  readonly stateDir: string;
  /** Where the gateway of the state folder says that it serves; undefined when it is not running. */
  readonly findUrl: () => string | undefined;
  /** `CLAWTOOLS_GATEWAY_TOKEN`; wins over the config and the file. */
  readonly token?: string | undefined;
}

/** A client of the gateway that serves a state folder on this machine, and of others by `url`. */
export function createGatewayClient(options: GatewayClientOptions): Gateway {
  return {
    configHashes: new Map(),
    async call(request) {
      if (request.url === undefined) return await callOnce(request, await findLocal(options));
      if (request.token === undefined) {
        throw new ToolInputError("gatewayUrl needs gatewayToken.", {
          reason: "gateway_token_missing",
        });
      }
      const { net } = options;
      return await callOnce(request, { net, url: readUrl(request.url), token: request.token });
    },
    close: () => Promise.resolve(),
  };
}

interface Target {
  readonly net: Net;
  readonly url: URL;
  readonly token: string | undefined;
  /** Of a certificate that no authority signed. */
  readonly fingerprint?: string | undefined;
}

async function findLocal(options: GatewayClientOptions): Promise<Target> {
  const { net, config, stateDir } = options;
  const { auth, tls, port = DEFAULT_PORT } = config.gateway ?? {};
  const scheme = tls?.enabled === true ? "wss" : "ws";
  const url = readUrl(options.findUrl() ?? `${scheme}://127.0.0.1:${port}`);
  // A gateway without a secret has no such file.
  const readTokenFile = async () =>
    (await readOptional(join(stateDir, GATEWAY_TOKEN_FILE)))?.trim();
  const token = options.token ?? auth?.token ?? auth?.password ?? (await readTokenFile());
  if (url.protocol !== "wss:") return { net, url, token };
  const certificate = await readOptional(tls?.certPath ?? join(stateDir, "tls", "cert.pem"));
  const fingerprint = certificate && new X509Certificate(certificate).fingerprint256;
  return { net, url, token, fingerprint };
}

/** undefined when the file does not exist. */
function readOptional(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

/** Plain text leaves this machine only over TLS. */
function readUrl(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = address !== undefined && LOOPBACK.test(address.hostname);
  if (address?.protocol === "wss:" || (address?.protocol === "ws:" && isLocal)) return address;
  throw new ToolInputError(
    `"${text}" is not a gateway address. Use ws://127.0.0.1:PORT, or wss:// for another machine.`,
    { reason: "gateway_url_invalid" },
  );
}

async function callOnce(request: GatewayCall, target: Target): Promise<unknown> {
  const { method, params = {}, timeoutMs = DEFAULT_TIMEOUT_MS, signal, onEvent } = request;
  const { net, url, token, fingerprint } = target;
  signal.throwIfAborted();
  const connect = {
    minProtocol: OLDEST,
    maxProtocol: NEWEST,
    client: { id: "cli", version: readOwnVersion(), platform: process.platform, mode: "cli" },
    role: "operator",
    ...(token === undefined ? {} : { auth: { token, password: token } }),
  };
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<unknown>((resolve, reject) => {
      timer = setTimeout(() => reject(tooLate(method, timeoutMs)), timeoutMs);
      signal.addEventListener("abort", () => reject(signal.reason), { signal: over.signal });
      const socket = net.socket({
        ...{ url: url.href, timeoutMs, fingerprint, signal: over.signal },
        maxPayload: MAX_AUTHENTICATED_BYTES,
        alsoAllowedHostnames: LOOPBACK.test(url.hostname) ? [url.hostname] : [],
        onMessage: receive,
        onClose: ({ reason }) => reject(closedEarly(method, reason)),
      });
      socket.catch((error: unknown) => reject(toUnreachable(url, error)));
      const send = (id: string, name: string, values: unknown) => {
        const frame = JSON.stringify({ type: "req", id, method: name, params: values });
        socket.then((open) => open.send(frame)).catch(reject);
      };

      function receive(data: string | Uint8Array): void {
        // A frame that is not JSON is not the answer; the timeout or the close ends the call.
        const frame = parseJson(String(data));
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
      }
    });
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

function toUnreachable({ host }: URL, cause: unknown): unknown {
  // A gateway refuses with 403 only.
  const isForeign = readNumber(isToolError(cause) ? cause.details : undefined, "status") !== 403;
  if (isToolError(cause) && cause.reason === "handshake_refused" && isForeign) {
    return new ToolError(
      "unavailable",
      `Something else answers at ${host}, not a gateway (${cause.message.replace(/\.$/, "")}). Stop it, or choose another port.`,
      { reason: "gateway_not_running", cause },
    );
  }
  if (!isToolError(cause) || cause.reason !== "connection_failed") return cause;
  const why = errnoOf(cause.cause) === "ECONNREFUSED" ? "" : ` (${cause.message})`;
  return new ToolError(
    "unavailable",
    `The gateway is not running at ${host}${why}. Start it with \`clawtools gateway start\`.`,
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
