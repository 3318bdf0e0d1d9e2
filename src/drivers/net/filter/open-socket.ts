// A connection along a route, open when it is given: to the judged addresses, or to the next proxy and,
// for a tunnel, through it.

import { setMaxListeners } from "node:events";
import { connect, type Socket } from "node:net";
import type { ToolError } from "../../../core/index.js";
import { type Dial, secureSocket, untilOpen } from "../connect/connector.js";
import { type Deadline, startDeadline } from "../deadline.js";
import { netTimeout, toNetError } from "../errors.js";
import { hostOf, portOf } from "../policy.js";
import type { ProblemLog } from "./create-filter-proxy.js";
import { type JudgeTarget, type Route, showTarget, type Target } from "./judge-target.js";

/** `stream`: bytes to the target itself. `requests`: the next proxy is asked like any HTTP proxy. */
type Use = "stream" | "requests";

interface OpenRequest {
  readonly route: Route;
  readonly target: Target;
  readonly use: Use;
  readonly dial: Dial;
  readonly deadline: Deadline;
}

export async function openSocket(request: OpenRequest): Promise<Socket> {
  const { route, target, use, dial, deadline } = request;
  const socket = route.kind === "direct" ? dial(route) : dialProxy(route.proxy);
  const forget = deadline.onOver(() => socket.destroy());
  try {
    await untilOpen(socket);
    if (route.kind === "proxied" && use === "stream") {
      await passConnect(socket, { target, proxy: route.proxy });
    }
    return socket;
  } catch (error) {
    socket.destroy();
    throw deadline.error ?? toNetError(error, target.host);
  } finally {
    forget();
  }
}

function dialProxy(proxy: URL): Socket {
  const host = hostOf(proxy);
  const socket = connect({ host, port: portOf(proxy) ?? 0, noDelay: true });
  return proxy.protocol === "https:" ? secureSocket(socket, { host }) : socket;
}

const HEAD_END = "\r\n\r\n";
const MAX_HEAD_BYTES = 16 * 1024;
const STATUS = /^HTTP\/1\.[01] (\d{3})/;

async function passConnect(
  socket: Socket,
  { target, proxy }: { readonly target: Target; readonly proxy: URL },
): Promise<void> {
  const authority = showTarget(target);
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  const credentials = toProxyCredentials(proxy);
  if (credentials !== undefined) lines.push(`Proxy-Authorization: ${credentials}`);
  socket.write(`${lines.join("\r\n")}${HEAD_END}`);
  const status = Number(STATUS.exec(await readHead(socket))?.[1] ?? 0);
  if (status < 200 || status > 299) {
    throw new Error(`the proxy that is configured answered ${status || "nothing that is HTTP"}`);
  }
}

export function toProxyCredentials({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

function readHead(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const settle = () => {
      socket.off("readable", read);
      socket.off("error", fail);
      socket.off("close", closed);
    };
    const fail = (error: Error) => {
      settle();
      reject(error);
    };
    const closed = () => fail(new Error("the proxy that is configured closed the connection"));
    const read = () => {
      const chunk: Buffer | null = socket.read();
      if (chunk === null) return;
      seen = Buffer.concat([seen, chunk]);
      const end = seen.indexOf(HEAD_END);
      if (end === -1) {
        if (seen.length > MAX_HEAD_BYTES) fail(new Error("the answer of the proxy is too long"));
        return;
      }
      settle();
      const rest = seen.subarray(end + HEAD_END.length);
      if (rest.length > 0) socket.unshift(rest);
      resolve(seen.subarray(0, end).toString("latin1"));
    };
    socket.on("readable", read);
    socket.once("error", fail);
    socket.once("close", closed);
  });
}

const MAX_STEP_MS = 15_000;

export interface Passage {
  judge(target: Target): Promise<Route>;
  connect(request: {
    readonly target: Target;
    readonly route: Route;
    readonly use: Use;
  }): Promise<Socket>;
  /** The same judgement without a connection. */
  check(target: Target, options: { readonly signal: AbortSignal }): Promise<void>;
  counts(): { readonly passed: number; readonly denied: number; readonly failed: number };
  close(): void;
}

interface Step<Value> {
  readonly signal: AbortSignal;
  readonly work: (deadline: Deadline) => Promise<Value>;
}

export function createPassage(parts: {
  readonly judge: JudgeTarget;
  readonly dial: Dial;
  readonly log: ProblemLog;
}): Passage {
  const { judge, dial, log } = parts;
  const counts = { passed: 0, denied: 0, failed: 0 };
  const sockets = new Set<Socket>();
  const ending = new AbortController();
  // One for each connection that is being made.
  setMaxListeners(0, ending.signal);

  function note(target: Target, error: ToolError): void {
    if (error.code === "aborted") return;
    counts[error.code === "denied" ? "denied" : "failed"] += 1;
    log.add(target, error);
  }

  function keep(socket: Socket): Socket {
    // No one else may listen yet, and an error without a listener ends the process.
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    sockets.add(socket);
    counts.passed += 1;
    return socket;
  }

  async function step<Value>(target: Target, { signal, work }: Step<Value>): Promise<Value> {
    try {
      return await underLimit({ target, signal, work });
    } catch (thrown) {
      const error = toNetError(thrown, target.host);
      note(target, error);
      throw error;
    }
  }

  return {
    judge: (target) =>
      step(target, { signal: ending.signal, work: (deadline) => judge(target, deadline) }),
    connect: (request) =>
      step(request.target, {
        signal: ending.signal,
        work: async (deadline) => keep(await openSocket({ ...request, dial, deadline })),
      }),
    check: (target, { signal }) =>
      step(target, { signal, work: async (deadline) => void (await judge(target, deadline)) }),
    counts: () => ({ ...counts }),
    close() {
      ending.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function underLimit<Value>(
  request: Step<Value> & { readonly target: Target },
): Promise<Value> {
  const { target, signal, work } = request;
  const onTimeout = () => netTimeout(target.host, MAX_STEP_MS);
  const deadline = startDeadline({ signal, timeoutMs: MAX_STEP_MS, onTimeout });
  try {
    if (deadline.error) throw deadline.error;
    return await work(deadline);
  } finally {
    deadline.end();
  }
}
