// Connects to a browser that runs already. In our own context its pages go through the filter; in the
// browser's own context, and on another machine, the policy is only advice.

import type { Browser, BrowserContext } from "playwright-core";
import type { NetFilter } from "../../../core/browser.js";
import { isToolError, type Net, ToolError } from "../../../core/index.js";
import { readField, readText } from "../../../lib/read-field.js";
import { makeScratch, removeFolder } from "../launch/processes.js";
import { type CdpAddress, readCdpUrl, throughDoor } from "../policy/cdp-url.js";
import { toContextProxy } from "../policy/net-filter.js";
import type { Connection, Playwright } from "./connection.js";
import { firstLine } from "./playwright-errors.js";
import { atMost, within } from "./within.js";

/** An init script for `context.addInitScript({ content })`. */
export const ATTACHED_GUARD = `(() => {
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"]) {
    delete globalThis[name];
  }
})();`;
const MAX_DISCONNECT_MS = 2_000;
const UNREACHED: readonly (string | undefined)[] = [
  "connection_failed",
  "name_not_found",
  "net_timeout",
  "bad_response",
];
const VIEWPORT = { width: 1280, height: 720 };
const MAX_ANSWER_BYTES = 1_000_000;
const GOOD_STATUS = 200;

/** `own`: new context behind the filter; `bare`: new one without it; `default`: that of the browser. */
export type AttachMode = "own" | "bare" | "default";

interface AttachRequest {
  readonly cdpUrl: string;
  readonly mode: AttachMode;
  readonly playwright: Playwright;
  readonly filter: NetFilter;
  readonly net: Pick<Net, "fetch">;
  readonly timeoutMs: number;
  readonly handshakeTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** Rejects with `invalid_input`, `unavailable` / `browser_unreachable`, or the abort. */
export async function attachBrowser(request: AttachRequest): Promise<Connection> {
  const address = readCdpUrl(request.cdpUrl);
  const { socketUrl, isHeadless } = await findSocket(address, request);
  const scratch = await makeScratch();
  try {
    const browser = await connect({ request, address, socketUrl, artifacts: scratch.artifacts });
    const context = await openContext(browser, request).catch(async (error: unknown) => {
      await disconnect(browser);
      throw error;
    });
    const { mode } = request;
    return {
      kind: "attached",
      context,
      // In a person's browser tabs stay for the person to see.
      isOurs: mode !== "default",
      policy: mode === "own" ? "enforced" : "advisory",
      version: browser.version(),
      headless: isHeadless,
      temporary: scratch.folder,
      async end() {
        await disconnect(browser);
        await removeFolder(scratch.folder).catch(() => undefined);
      },
    };
  } catch (error) {
    await removeFolder(scratch.folder);
    throw toAttachError(error, address);
  }
}

async function findSocket(address: CdpAddress, request: AttachRequest) {
  const { url, headers } = address;
  if (address.isSocket) return { socketUrl: url.href, isHeadless: false };
  const { net, timeoutMs, signal } = request;
  try {
    const found = await readEndpoint({
      ...{ net, base: url.origin, headers, search: url.search, timeoutMs, signal },
    });
    return { ...found, socketUrl: throughDoor(found.socketUrl, address) };
  } catch (error) {
    throw toAttachError(error, address);
  }
}

interface ConnectRequest {
  readonly request: AttachRequest;
  readonly address: CdpAddress;
  readonly socketUrl: string;
  readonly artifacts: string;
}

async function connect(given: ConnectRequest): Promise<Browser> {
  const { request, address, socketUrl, artifacts } = given;
  const { playwright, handshakeTimeoutMs: timeoutMs, signal } = request;
  const limit = { timeoutMs, signal, what: `the browser at ${address.shown} to answer` };
  let connecting: Promise<Browser> | undefined;
  try {
    return await within(limit, () => {
      connecting = playwright.chromium.connectOverCDP(socketUrl, {
        headers: { ...address.headers },
        timeout: timeoutMs,
        artifactsDir: artifacts,
      });
      return connecting;
    });
  } catch (error) {
    // One that comes after all has no one any more.
    connecting?.then(disconnect).catch(() => undefined);
    throw error;
  }
}

async function openContext(browser: Browser, request: AttachRequest): Promise<BrowserContext> {
  const { mode, filter, handshakeTimeoutMs: timeoutMs, signal } = request;
  const [own] = browser.contexts();
  if (mode === "default" && own !== undefined) {
    await advisePolicy(own, filter);
    return own;
  }
  const limit = { timeoutMs, signal, what: "a context of our own" };
  const context = await within(limit, () =>
    browser.newContext({
      viewport: VIEWPORT,
      acceptDownloads: true,
      ...(mode === "own" ? { proxy: toContextProxy(filter.address) } : {}),
    }),
  );
  if (mode === "own") await context.addInitScript({ content: ATTACHED_GUARD });
  else await advisePolicy(context, filter);
  return context;
}

/** Closes the contexts that are ours and leaves the browser as it is. Never rejects. */
async function disconnect(browser: Browser): Promise<void> {
  await atMost(MAX_DISCONNECT_MS, () => browser.close());
}

function toAttachError(error: unknown, { shown }: CdpAddress): ToolError {
  if (isToolError(error) && !UNREACHED.includes(error.reason)) return error;
  return new ToolError(
    "unavailable",
    `No browser could be reached at ${shown}: ${firstLine(error).replace(/\.$/, "")}; start it with --remote-debugging-port, or correct cdpUrl.`,
    { reason: "browser_unreachable", cause: error, details: { cdpUrl: shown } },
  );
}

async function advisePolicy(
  context: BrowserContext,
  filter: Pick<NetFilter, "judge">,
): Promise<void> {
  await context.route("**/*", async (route) => {
    const { signal } = new AbortController();
    try {
      await filter.judge(route.request().url(), { signal });
    } catch {
      // The filter has noted why.
      await route.abort("blockedbyclient").catch(() => undefined);
      return;
    }
    await route.fallback().catch(() => undefined);
  });
}

interface EndpointQuestion {
  /** Someone has chosen the address, so it may be private. */
  readonly net: Pick<Net, "fetch">;
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly search: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface EndpointFacts {
  readonly socketUrl: string;
  readonly isHeadless: boolean;
}

/** Rejects as the network does, or with an Error that says what came instead. */
async function readEndpoint(question: EndpointQuestion): Promise<EndpointFacts> {
  const facts = await readJson("/json/version", question);
  const socketUrl = readText(facts, "webSocketDebuggerUrl");
  if (socketUrl === undefined || !URL.canParse(socketUrl)) {
    throw new Error("it answers, but not as a browser that can be driven");
  }
  return { socketUrl, isHeadless: String(readField(facts, "User-Agent")).includes("Headless") };
}

async function readJson(path: string, question: EndpointQuestion): Promise<unknown> {
  const { net, base, headers, search, timeoutMs, signal } = question;
  const url = new URL(`${path}${search}`, base);
  const { status, body } = await net.fetch({
    ...{ url: url.href, headers, signal },
    limits: { timeoutMs, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0 },
    alsoAllowedHostnames: [url.hostname],
  });
  if (status !== GOOD_STATUS) throw new Error(`it answers with status ${status}`);
  return JSON.parse(new TextDecoder().decode(body));
}

interface AddressTrial {
  readonly cdpUrl: string;
  readonly net: Pick<Net, "fetch">;
  /** Rejects where the address may not be reached. */
  readonly judge: (url: string) => Promise<void>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** One sentence with what to do; undefined when someone answers. Rejects with the abort alone. */
export async function findAddressFault(trial: AddressTrial): Promise<string | undefined> {
  try {
    await tryAddress(trial);
    return undefined;
  } catch (error) {
    trial.signal.throwIfAborted();
    if (!isToolError(error)) throw error;
    return error.message;
  }
}

async function tryAddress({ cdpUrl, net, judge, timeoutMs, signal }: AddressTrial): Promise<void> {
  const address = readCdpUrl(cdpUrl);
  const { url, headers, isSocket } = address;
  await judge(url.href);
  try {
    if (!isSocket) {
      const { origin: base, search } = url;
      await readEndpoint({ net, base, headers, search, timeoutMs, signal });
      return;
    }
    // A socket is opened only to attach; whatever answers a plain request there is someone.
    await net.fetch({
      ...{ url: url.href.replace(/^ws/, "http"), headers, signal },
      limits: { timeoutMs, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0 },
      alsoAllowedHostnames: [url.hostname],
    });
  } catch (error) {
    throw toAttachError(error, address);
  }
}
