// Asks the next proxy for a tunnel, and gives the connection back when there is one.

import type { Socket } from "node:net";
import { showTarget, type Target } from "./target.js";

const HEAD_END = "\r\n\r\n";
const MAX_HEAD_BYTES = 16 * 1024;
const STATUS = /^HTTP\/1\.[01] (\d{3})/;

export async function passConnect(
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

/** Of the URL of a proxy; undefined when it has none. */
export function toProxyCredentials({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

/** What comes behind the head stays in the connection. */
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
