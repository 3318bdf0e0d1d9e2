// Attaches to a running browser. The policy is enforced only in our own context on this machine.

import type { Browser, BrowserContext } from "playwright-core";
import type { NetFilter } from "../../../core/browser.js";
import { isToolError, ToolError } from "../../../core/index.js";
import { readField, readText } from "../../../lib/read-field.js";
import { makeScratch, removeFolder } from "../launch/processes.js";
import { type CdpAddress, readCdpUrl, throughDoor } from "../policy/cdp-url.js";
import { toContextProxy } from "../policy/net-filter.js";
import type { ConnectSource } from "./connect-profile.js";
import type { Connection } from "./connection.js";
import { firstLine } from "./playwright-errors.js";
import { atMost, within } from "./within.js";

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

/** `own`: new context behind the filter; `bare`: without it; `default`: the browser's own. */
export type AttachMode = "own" | "bare" | "default";

interface AttachRequest extends ConnectSource {
  readonly cdpUrl: string;
  readonly mode: AttachMode;
}

/** Rejects with `invalid_input`, `browser_unreachable`, or the abort. */
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
  if (address.isSocket) return { socketUrl: address.url.href, isHeadless: false };
  try {
    const { net, signal, settings } = request;
    const asking = { net, signal, timeoutMs: settings.remoteCdpTimeoutMs };
    const found = await readEndpoint(address, asking);
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
  const { playwright, settings, signal } = request;
  const timeoutMs = settings.remoteCdpHandshakeTimeoutMs;
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
    // A late connection is closed.
    connecting?.then(disconnect).catch(() => undefined);
    throw error;
  }
}

async function openContext(browser: Browser, request: AttachRequest): Promise<BrowserContext> {
  const { mode, filter, settings, signal } = request;
  const timeoutMs = settings.remoteCdpHandshakeTimeoutMs;
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

/** Closes only our contexts. Never rejects. */
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
      await route.abort("blockedbyclient").catch(() => undefined);
      return;
    }
    await route.fallback().catch(() => undefined);
  });
}

interface Asking extends Pick<ConnectSource, "net" | "signal"> {
  readonly timeoutMs: number;
}

async function readEndpoint(address: CdpAddress, asking: Asking) {
  const { origin, search } = address.url;
  const url = new URL(`/json/version${search}`, origin);
  const { status, body } = await ask(url, { address, ...asking });
  if (status !== GOOD_STATUS) throw new Error(`it answers with status ${status}`);
  const facts: unknown = JSON.parse(new TextDecoder().decode(body));
  const socketUrl = readText(facts, "webSocketDebuggerUrl");
  if (socketUrl === undefined || !URL.canParse(socketUrl)) {
    throw new Error("it answers, but not as a browser that can be driven");
  }
  return { socketUrl, isHeadless: String(readField(facts, "User-Agent")).includes("Headless") };
}

function ask(
  { href, hostname }: URL,
  { address, net, timeoutMs, signal }: Asking & { readonly address: CdpAddress },
) {
  return net.fetch({
    ...{ url: href, headers: address.headers, signal },
    limits: { timeoutMs, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0 },
    alsoAllowedHostnames: [hostname],
  });
}

interface AddressTrial extends Asking {
  readonly cdpUrl: string;
  readonly judge: (url: string) => Promise<void>;
}

/** One sentence; undefined: it answers. Rejects only with the abort. */
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

async function tryAddress({ cdpUrl, judge, ...asking }: AddressTrial): Promise<void> {
  const address = readCdpUrl(cdpUrl);
  const { href } = address.url;
  await judge(href);
  try {
    // For a socket, any answer to a plain request is enough here.
    if (address.isSocket) await ask(new URL(href.replace(/^ws/, "http")), { address, ...asking });
    else await readEndpoint(address, asking);
  } catch (error) {
    throw toAttachError(error, address);
  }
}
