// Answers that are late, that never end, that send elsewhere, or that are no page.
import { setTimeout as wait } from "node:timers/promises";
import type { PageRequest } from "../page-server.js";

const MAX_SLOW_MS = 10_000;
const HTML = { "content-type": "text/html; charset=utf-8" };
const STATUS_PATH = /^\/status\/(\d{3})$/;
const ONE_PIXEL_GIF = Buffer.from("R0lGODlhAQABAAAAACw=", "base64");

export async function answerOdd({ response, url }: PageRequest): Promise<boolean> {
  const odd = ODD[url.pathname];
  if (odd !== undefined) {
    await odd({ response, url });
    return true;
  }
  const status = Number(STATUS_PATH.exec(url.pathname)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return false;
  response.writeHead(status, HTML).end(`<!doctype html><title>${status}</title><h1>${status}</h1>`);
  return true;
}

type Odd = (asked: Pick<PageRequest, "response" | "url">) => void | Promise<void>;

const ODD: Readonly<Record<string, Odd>> = {
  /** The page is whole, but its document never ends: neither DOMContentLoaded nor load comes. */
  "/never": ({ response }) => {
    response.writeHead(200, HTML);
    response.write(NEVER);
  },
  /** The document ends, a picture in it does not: DOMContentLoaded comes, load never. */
  "/never-loaded": ({ response }) => {
    response.writeHead(200, HTML).end(`${NEVER}<img src="/hang" alt="Slow picture"></html>`);
  },
  /** Nothing comes, not even a head. */
  "/hang": () => undefined,
  "/slow": async ({ response, url }) => {
    await wait(Math.min(Number(url.searchParams.get("ms") ?? 300), MAX_SLOW_MS));
    response.writeHead(200, HTML).end("<!doctype html><title>Slow</title><h1>Slow page</h1>");
  },
  /** `to`, after `times` hops. */
  "/redirect": ({ response, url }) => {
    const times = Number(url.searchParams.get("times") ?? 1);
    const to = url.searchParams.get("to") ?? "/";
    const next = `/redirect?times=${times - 1}&to=${encodeURIComponent(to)}`;
    response.writeHead(302, { location: times > 1 ? next : to }).end();
  },
  "/redirect-loop": ({ response }) => {
    response.writeHead(302, { location: "/redirect-loop" }).end();
  },
  "/pixel.gif": ({ response }) => {
    response.writeHead(200, { "content-type": "image/gif" }).end(ONE_PIXEL_GIF);
  },
  "/favicon.ico": ({ response }) => {
    response.writeHead(204).end();
  },
};

const NEVER = `<!doctype html><html lang="en"><title>Never done</title><h1>Never done loading</h1>
<button onclick="document.querySelector('output').textContent = 'It works'">Try</button><output></output>`;
