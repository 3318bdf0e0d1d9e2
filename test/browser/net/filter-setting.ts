// A filtering proxy on this machine with servers behind it, and clients that speak to it by hand.
import { type IncomingMessage, type RequestListener, request } from "node:http";
import { connect, type Socket } from "node:net";
import type { NetFilter } from "../../../src/core/browser.js";
import { createFilterProxy, type FilterOptions } from "../../../src/drivers/net/index.js";
import { type Listener, listen } from "../../security/net/net-setting.js";

const LOOPBACK = "127.0.0.1";
/** Loopback too, but another address: what the policy allows in these tests. */
export const ALLOWED = "127.0.0.3";

export interface Setting {
  readonly filter: NetFilter;
  /** On the allowed address. */
  readonly server: Listener;
  /** On 127.0.0.1, which no test may reach through the proxy. */
  readonly canary: Listener;
  close(): Promise<void>;
}

export async function createSetting(
  answer: RequestListener,
  options: FilterOptions = {},
): Promise<Setting> {
  const server = await listen(answer, { host: ALLOWED });
  const canary = await listen((_request, response) => void response.end("canary"));
  const filter = await createFilterProxy({
    policy: { allowedHostnames: [ALLOWED] },
    environment: {},
    ...options,
  });
  return {
    filter,
    server,
    canary,
    async close() {
      await filter.close();
      await Promise.all([server.close(), canary.close()]);
    },
  };
}

/** A connection to the proxy, open. */
export function dialFilter({ address }: NetFilter): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(address.port, address.host, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Everything that comes until the other side ends. */
export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.resume();
  });
}

/** Up to the end of this text; what came behind it stays in the connection. */
export function readUntil(socket: Socket, end: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = "";
    const read = (chunk: Buffer) => {
      seen += chunk.toString("latin1");
      const index = seen.indexOf(end);
      if (index === -1) return;
      socket.off("data", read);
      socket.off("close", closed);
      socket.pause();
      const rest = seen.slice(index + end.length);
      if (rest !== "") socket.unshift(Buffer.from(rest, "latin1"));
      resolve(seen.slice(0, index + end.length));
    };
    const closed = () => reject(new Error(`closed after "${seen}"`));
    socket.on("data", read);
    socket.once("close", closed);
    socket.resume();
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A plain request through the proxy. */
export function askVia(
  { address }: NetFilter,
  url: string,
  more: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { host, port } = address;
    const { method = "GET", headers = {} } = more;
    const sent = request({ host, port, path: url, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const body = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** The status line of what comes of a CONNECT, and the connection. */
export async function connectVia(
  filter: NetFilter,
  authority: string,
): Promise<{ readonly status: number; readonly socket: Socket; readonly head: string }> {
  const socket = await dialFilter(filter);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const head = await readUntil(socket, "\r\n\r\n");
  return { status: Number(head.split(" ")[1]), socket, head };
}

export const originOf = ({ port }: Listener, host = ALLOWED): string => `http://${host}:${port}`;

export { LOOPBACK };
