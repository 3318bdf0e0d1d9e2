// What a client gets when nothing goes out. Pages may see it, so it holds no address and no name;
// the whole story is in the log.

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ToolError } from "../../../core/index.js";

/** In every answer that the proxy itself gives; its value is the reason. */
const FILTER_HEADER = "clawtools-filter";

const STATUS_LINES = new Map([
  [400, "Bad Request"],
  [403, "Forbidden"],
  [502, "Bad Gateway"],
  [504, "Gateway Timeout"],
]);
const TEXTS = new Map([
  [400, "This is a proxy, and that is nothing it can be asked for."],
  [403, "Refused by the network policy of clawtools."],
  [502, "The server was not reached."],
  [504, "The server was not reached in time."],
]);

export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

export const BAD_REQUEST: Refusal = { status: 400, reason: "bad_request" };
/** For a client that is another user of this machine. */
export const STRANGER: Refusal = { status: 403, reason: "stranger_refused" };

export function toRefusal(error: ToolError): Refusal {
  const status = error.code === "denied" ? 403 : error.code === "timeout" ? 504 : 502;
  return { status, reason: error.reason ?? error.code };
}

export function refuseRequest(response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const text = toText(refusal);
  response.writeHead(refusal.status, toHeaders(refusal, text));
  response.end(text);
}

/** For a tunnel that does not come about. */
export function refuseSocket(socket: Socket, refusal: Refusal): void {
  if (socket.destroyed) return;
  const text = toText(refusal);
  const headers = Object.entries({ ...toHeaders(refusal, text), connection: "close" });
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_LINES.get(refusal.status) ?? ""}`;
  socket.on("error", () => socket.destroy());
  socket.end([status, ...lines, "", text].join("\r\n"), () => socket.destroySoon());
}

function toText({ status }: Refusal): string {
  return `${TEXTS.get(status) ?? ""}\n`;
}

function toHeaders({ reason }: Refusal, text: string): Record<string, string> {
  return {
    "content-type": "text/plain; charset=utf-8",
    "content-length": `${Buffer.byteLength(text)}`,
    "cache-control": "no-store",
    [FILTER_HEADER]: reason,
  };
}
