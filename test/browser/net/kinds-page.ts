// The page from which every kind of request is tried, with its server on an address that the policy
// allows: redirects, a service worker, and a frame whose policy reports.
import type { Page } from "playwright-core";
import { type Listener, listen } from "../../security/net/net-setting.js";
import { addressOf } from "./canary.js";
import { REQUEST_KINDS } from "./request-kinds.js";

export const PAGE_HOST = "127.0.0.3";

/** Those that tell their end have told it by then. */
const MAX_KIND_MS = 3_000;
const SERVICE_WORKER = `
  addEventListener("install", () => skipWaiting());
  addEventListener("activate", (event) => event.waitUntil(clients.claim()));
  addEventListener("message", async ({ data: { url, by }, ports: [port] }) => {
    if (by === "fetch") await fetch(url).catch(() => undefined);
    else await new Promise((resolve) => { new WebSocket(url).onclose = resolve; });
    port.postMessage("done");
  });`;

/** Runs in the page: each kind in a function of its own, all at once. */
const RUNNER = `
  (async (kinds) => {
    const own = location.origin;
    const add = (tag, properties) => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(properties)) {
        if (name in element && name !== "style") element[name] = value;
        else element.setAttribute(name, value);
      }
      document.body.append(element);
      return element;
    };
    const askServiceWorker = async (question) => {
      await navigator.serviceWorker.register("/worker.js");
      const { active } = await navigator.serviceWorker.ready;
      const { port1, port2 } = new MessageChannel();
      active.postMessage(question, [port2]);
      await new Promise((resolve) => { port1.onmessage = resolve; });
    };
    const AsyncFunction = (async () => undefined).constructor;
    const limit = () => new Promise((resolve) => setTimeout(resolve, ${MAX_KIND_MS}));
    await Promise.all(kinds.map(async ({ code, to }) => {
      const run = new AsyncFunction("to", "own", "add", "askServiceWorker", code);
      await Promise.race([run(to, own, add, askServiceWorker).catch(() => undefined), limit()]);
    }));
  })`;

export function servePage(): Promise<Listener> {
  return listen(
    (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://page");
      const to = searchParams.get("to") ?? "";
      if (pathname === "/redirect") {
        const headers = { location: to, "access-control-allow-origin": "*" };
        response.writeHead(Number(searchParams.get("code") ?? 302), headers).end();
      } else if (pathname === "/worker.js") {
        response.writeHead(200, { "content-type": "text/javascript" }).end(SERVICE_WORKER);
      } else if (pathname === "/csp") {
        response.setHeader("content-security-policy", `default-src 'none'; report-uri ${to}`);
        response.setHeader("content-type", "text/html");
        response.end("<body><img src=x.png>");
      } else {
        response.writeHead(200, { "content-type": "text/html" }).end("<title>page</title><body>ok");
      }
    },
    { host: PAGE_HOST },
  );
}

/** Ends when every kind has told of its end, or had its time; some are noticed only later. */
export async function runKinds(
  page: Page,
  request: { readonly canaryPort: number; readonly when: "early" | "late" },
): Promise<void> {
  const kinds = REQUEST_KINDS.map(({ code, isEarly = false }, index) => ({
    code,
    to: `http://${addressOf(index)}:${request.canaryPort}`,
    when: isEarly ? "early" : "late",
  })).filter(({ when }) => when === request.when);
  await page.evaluate(`${RUNNER}(${JSON.stringify(kinds)})`);
}
