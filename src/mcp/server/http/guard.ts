// Who may speak to the server at all: judged by the head of a request alone, before any of its body
// is read. A page in a browser on this machine must not get through, nor anybody without the token.

import type { IncomingMessage } from "node:http";
import {
  bearerToken,
  isSameSecret,
  judgeJsonType,
  judgePlace,
  type Refusal,
  type ServedPlace,
} from "../../../lib/http/request-guard.js";

export const MCP_PATH = "/mcp";

export interface GuardOptions extends ServedPlace {
  readonly token: string;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"]);

/** undefined: let in. */
export function judgeRequest(request: IncomingMessage, options: GuardOptions): Refusal | undefined {
  return (
    judgePlace(request, options) ??
    judgeToken(request, options) ??
    judgePath(request) ??
    judgeJsonType(request)
  );
}

/** Checks the path and the body type; the caller has checked host and token. */
export function judgeShape(request: IncomingMessage): Refusal | undefined {
  return judgePath(request) ?? judgeJsonType(request);
}

function judgeToken(request: IncomingMessage, { token }: GuardOptions): Refusal | undefined {
  if (isSameSecret(bearerToken(request), token)) return undefined;
  return {
    status: 401,
    message: "Send the token of this server as `Authorization: Bearer …`.",
    headers: { "WWW-Authenticate": 'Bearer realm="clawtools"' },
  };
}

function judgePath({ url = "", method = "" }: IncomingMessage): Refusal | undefined {
  const [path] = url.split("?");
  if (path !== MCP_PATH) return { status: 404, message: `The server is at ${MCP_PATH}.` };
  if (METHODS.has(method)) return undefined;
  const headers = { Allow: [...METHODS].join(", ") };
  return { status: 405, message: "The methods are GET, POST and DELETE.", headers };
}
