// HTTP on the gateway's port: judges each request by its head, then hands it to the route of its path.
// Rooms that serve something of their own add a route.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClawtoolsConfig } from "../../config/index.js";
import { isToolError, ToolError, ToolInputError, toToolError } from "../../core/index.js";
import {
  bearerToken,
  judgeJsonType,
  judgePlace,
  type ServedPlace,
} from "../../lib/http/request-guard.js";
import { isDeeperThan } from "../../lib/json/json-size.js";
import { parseJson } from "../../lib/json/parse-json.js";
import { readText } from "../../lib/read-field.js";
import { coversScope, type Principal, type Scope } from "../../protocol/index.js";
import type { RemoteFacts } from "../auth/authenticate.js";
import type { Gateway } from "../gateway.js";
import type { GatewayLog } from "../log/log-file.js";
import type { GatewayServices } from "../services.js";
import { readRemote } from "./remote.js";

const MAX_DEPTH = 256;

export interface HttpCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly remote: RemoteFacts;
  /** Who called; undefined on a route without `auth`. */
  readonly principal: Principal | undefined;
}

/** What routes work with. */
export interface RouteParts {
  readonly services: GatewayServices;
  readonly call: Gateway["call"];
}

export interface HttpRoute {
  /** The whole path, or with a slash at the end everything below it. */
  readonly path: string;
  readonly methods: readonly string[];
  /** The scope that a bearer token must cover; `open`: for everyone who reaches us. */
  readonly auth: Scope | "open";
  /** Answers under any host name: for probes of a supervisor. Default false. */
  readonly anyHost?: boolean;
  /** While false the path answers 404. Default: always on. */
  isOn?(): boolean;
  handle(call: HttpCall): void | Promise<void>;
}

export type HttpRoutes = ReturnType<typeof createRoutes>;

export type AuthenticateHttp = (
  token: string,
  remote: RemoteFacts,
) => Promise<Principal | { readonly status: 401 | 429; readonly message: string }>;

export interface RoutesOptions {
  readonly place: () => ServedPlace;
  readonly config: () => ClawtoolsConfig;
  readonly authenticate: AuthenticateHttp;
  readonly log: GatewayLog;
  /** Called when a request was let in. */
  readonly trust: (request: IncomingMessage) => void;
}

export function createRoutes(options: RoutesOptions) {
  const routes = new Set<HttpRoute>();
  const open = new Map<ServerResponse, string>();

  function find(path: string): HttpRoute | undefined {
    const fitting = [...routes].filter(
      (route) =>
        (route.path.endsWith("/") ? path.startsWith(route.path) : route.path === path) &&
        route.isOn?.() !== false,
    );
    return fitting.sort((one, other) => other.path.length - one.path.length)[0];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "/"] = (request.url ?? "/").split("?");
    const route = find(path);
    const refusal = route?.anyHost === true ? undefined : judgePlace(request, options.place());
    if (refusal) return sendError(response, { ...refusal, type: "forbidden" });
    const remote = readRemote(request, options.config());
    if (remote === undefined) return sendError(response, UNTRUSTED_PROXY);
    if (route === undefined) return sendError(response, NOT_FOUND);
    const { method = "" } = request;
    if (!route.methods.includes(method === "HEAD" ? "GET" : method)) {
      const headers = { Allow: route.methods.join(", ") };
      return sendError(response, { ...NOT_ALLOWED, headers });
    }
    const badType = judgeJsonType(request);
    if (badType) return sendError(response, { ...badType, type: "forbidden" });
    if (route.auth === "open") {
      return await route.handle({ request, response, path, remote, principal: undefined });
    }
    const principal = await options.authenticate(bearerToken(request), remote);
    if ("status" in principal) {
      const headers = { "WWW-Authenticate": 'Bearer realm="clawtools"' };
      return sendError(response, { ...principal, type: "unauthorized", headers });
    }
    if (!coversScope(principal.scopes, route.auth)) {
      const message = `missing scope: ${route.auth}`;
      return sendError(response, { status: 403, type: "forbidden", message });
    }
    options.trust(request);
    if (principal.deviceId !== undefined) {
      open.set(response, principal.deviceId);
      response.once("close", () => open.delete(response));
    }
    await route.handle({ request, response, path, remote, principal });
  }

  return {
    add(route: HttpRoute): void {
      routes.add(route);
    },
    /** Ends the requests that came with a token of this device. */
    closeDevice(deviceId: string): void {
      for (const [response, owner] of open) if (owner === deviceId) response.destroy();
    },
    handle(request: IncomingMessage, response: ServerResponse): void {
      answer(request, response).catch((thrown: unknown) => {
        const { status, message, code, details } = toToolError(thrown);
        if (!isToolError(thrown)) options.log.write("error", `HTTP failed: ${message}`);
        if (response.headersSent) response.destroy();
        else sendError(response, { status, message, type: readText(details, "httpType") ?? code });
      });
    },
  };
}

interface HttpError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const UNTRUSTED_PROXY: HttpError = {
  status: 403,
  type: "proxy_attribution_required",
  message: "The request came through a proxy that gateway.trustedProxies does not list.",
};
const NOT_FOUND: HttpError = { status: 404, type: "not_found", message: "Not found" };
const NOT_ALLOWED: HttpError = {
  status: 405,
  type: "method_not_allowed",
  message: "Method not allowed",
};

export function sendError(
  response: ServerResponse,
  { status, message, type, headers = {} }: HttpError,
): void {
  sendJson(response, { status, headers, body: { ok: false, error: { type, message } } });
}

export function sendJson(
  response: ServerResponse,
  answer: {
    readonly status?: number;
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  },
): void {
  const text = JSON.stringify(answer.body);
  const isUnread = !response.req.complete;
  response.writeHead(answer.status ?? 200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    ...answer.headers,
    // What is left of the body is not read: the connection ends with the answer.
    ...(isUnread ? { Connection: "close" } : {}),
  });
  response.end(response.req.method === "HEAD" ? undefined : text);
}

/** Throws a ToolError with the type for the answer. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const tooLarge = new ToolError("limit", `The body is larger than ${maxBytes} bytes.`, {
    details: { httpType: "payload_too_large" },
  });
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge;
    chunks.push(part);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const value = isDeeperThan(text, MAX_DEPTH) ? undefined : parseJson(text);
  if (value !== undefined) return value;
  throw new ToolInputError("The body is not JSON, or nests too deep.", {
    details: { httpType: "invalid_request" },
  });
}
