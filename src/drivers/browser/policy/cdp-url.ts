// The address of a running browser: http or ws, possibly with a password or token.

import { redactUrl, ToolInputError } from "../../../core/index.js";
import { isLoopbackUrl } from "../profiles/list-profiles.js";

const SOCKET_SCHEMES = ["ws:", "wss:"];
const SCHEMES = [...SOCKET_SCHEMES, "http:", "https:"];
const MAX_SHOWN_CHARS = 200;

export type CdpAddress = ReturnType<typeof readCdpUrl>;

/** Throws `invalid_input` / `browser_url_invalid`. */
export function readCdpUrl(text: string) {
  if (!URL.canParse(text) || !SCHEMES.includes(new URL(text).protocol)) {
    const message = `"${redactUrl(text).slice(0, MAX_SHOWN_CHARS)}" is not a valid browser address; write one such as http://127.0.0.1:9222 or ws://host:port/path.`;
    throw new ToolInputError(message, { reason: "browser_url_invalid" });
  }
  const url = new URL(text);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    url,
    headers:
      username === "" && password === ""
        ? {}
        : { Authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    isSocket: SOCKET_SCHEMES.includes(url.protocol),
    shown: redactUrl(url.href),
  };
}

/** Behind a forwarded port, the browser reports its own loopback address. */
export function throughDoor(socketUrl: string, { url }: CdpAddress): string {
  if (!isLoopbackUrl(socketUrl.replace(/^ws/, "http"))) return socketUrl;
  const socket = new URL(socketUrl);
  const scheme = url.protocol === "https:" || url.protocol === "wss:" ? "wss:" : "ws:";
  const search = socket.search === "" ? url.search : socket.search;
  return `${scheme}//${url.host}${socket.pathname}${search}`;
}
