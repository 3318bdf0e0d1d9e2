// Decides by the head of an HTTP request who is let in.

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ToolInputError } from "../../../core/index.js";
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

export function judgeRequest(request: IncomingMessage, options: GuardOptions): Refusal | undefined {
  return (
    judgePlace(request, options) ??
    judgeToken(request, options) ??
    judgePath(request) ??
    judgeJsonType(request)
  );
}

/** For a caller that has checked host and token. */
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

const TOKEN_BYTES = 32;
export const MIN_TOKEN_CHARS = 16;

export function isHttpToken(token: string): boolean {
  return token.length >= MIN_TOKEN_CHARS && /^[\x21-\x7e]+$/.test(token);
}

export function readToken(given: string | undefined): string {
  if (given === undefined) return randomBytes(TOKEN_BYTES).toString("base64url");
  if (typeof given === "string" && isHttpToken(given)) return given;
  throw new ToolInputError(
    `serveMcp: http.token must have at least ${MIN_TOKEN_CHARS} characters, all visible ASCII.`,
    { reason: "options_invalid" },
  );
}
