// Connects a profile: attaches to its address, shares its running browser, or starts one.

import { connect, type Socket } from "node:net";
import type { ConnectOverCDPTransport } from "playwright-core";
import type { NetFilter } from "../../../core/browser.js";
import { isToolError, type Net, ToolError } from "../../../core/index.js";
import { reclaimProfile, type SharedNote } from "../launch/end-browser.js";
import {
  profileHeld,
  readHolder,
  SANDBOX_ON,
  type StartLockPorts,
  withStartLock,
} from "../launch/holder.js";
import { launchBrowser } from "../launch/launch-browser.js";
import { makeScratch, removeFolder } from "../launch/processes.js";
import { onMessages, sendMessage } from "../launch/serve-joins.js";
import { readCdpUrl } from "../policy/cdp-url.js";
import { isFree, isLoopbackUrl, type Profile, reservePort } from "../profiles/list-profiles.js";
import type { BrowserSettings } from "../settings.js";
import { type AttachMode, attachBrowser } from "./attach-browser.js";
import type { Connection, Playwright } from "./connection.js";
import { firstLine } from "./playwright-errors.js";
import { within } from "./within.js";

const HELD = /ProcessSingleton|already in use|existing browser session/i;

export interface ConnectSource extends StartLockPorts {
  readonly profile: Profile;
  readonly profiles: readonly Profile[];
  readonly settings: BrowserSettings;
  readonly playwright: Playwright;
  readonly filter: NetFilter;
  readonly net: Pick<Net, "fetch">;
  readonly signal: AbortSignal;
}

export async function connectProfile(source: ConnectSource): Promise<Connection> {
  const { profile, settings } = source;
  if (profile.cdpUrl !== undefined) return attachByUrl(source, profile.cdpUrl);
  return withStartLock(source, async () => {
    const running = await reclaimProfile({ profile, policyKey: settings.policyKey });
    if (running !== undefined) return share(source, running);
    if (profile.attachOnly) return attachToPort(source);
    return start(source);
  });
}

async function start(source: ConnectSource): Promise<Connection> {
  const { profile, profiles, settings, filter } = source;
  const { name, cdpPort: own } = profile;
  const wanted = settings.opensPort ? (own ?? reservePort(name, profiles)) : undefined;
  const port = wanted !== undefined && (await isFree(wanted)) ? wanted : undefined;
  const connection = await launchBrowser({ ...source, port }).catch(async (error: unknown) => {
    const isHeld = isToolError(error) && HELD.test(error.message);
    throw isHeld ? await heldBySomebody(source, "was not started by clawtools") : error;
  });
  const { cdpPort } = connection;
  return cdpPort === undefined ? connection : closedToPages(connection, { filter, port: cdpPort });
}

function closedToPages(
  connection: Connection,
  { filter, port }: { readonly filter: NetFilter; readonly port: number },
): Connection {
  const release = filter.refusePort(port);
  return {
    ...connection,
    async end() {
      release();
      await connection.end();
    },
  };
}

async function share(source: ConnectSource, note: SharedNote): Promise<Connection> {
  const { playwright, settings, signal } = source;
  const timeoutMs = settings.remoteCdpHandshakeTimeoutMs;
  try {
    return await joinBrowser(note, { playwright, timeoutMs, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw await heldBySomebody(source, `cannot be joined (${firstLine(error)})`);
  }
}

async function heldBySomebody({ profile }: ConnectSource, why: string): Promise<ToolError> {
  return profileHeld(profile, { holder: await readHolder(profile.userDataDir), why });
}

async function attachToPort(source: ConnectSource): Promise<Connection> {
  const { name, cdpPort, hasFixedPort } = source.profile;
  if (cdpPort !== undefined && hasFixedPort) {
    return attachByUrl(source, `http://127.0.0.1:${cdpPort}`);
  }
  throw new ToolError(
    "unavailable",
    `Profile "${name}" only attaches (attachOnly) and no browser runs for it; start one and set its cdpUrl, or set attachOnly to false.`,
    { reason: "browser_attach_only", details: { profile: name } },
  );
}

async function attachByUrl(source: ConnectSource, cdpUrl: string): Promise<Connection> {
  const { profile, settings, filter, signal } = source;
  const { url } = readCdpUrl(cdpUrl);
  // Addresses from the config are trusted; one that a call named is judged like a page.
  if (profile.source === "created") await filter.judge(url.href, { signal });
  const mode = chooseMode(source);
  if (mode !== "own" && settings.isPolicyStrict && !settings.attachDefaultContext) {
    throw policyNotKept(profile.name);
  }
  const connection = await attachBrowser({ ...source, cdpUrl, mode });
  const port = Number(url.port);
  return isLoopbackUrl(cdpUrl) && port > 0
    ? closedToPages(connection, { filter, port })
    : connection;
}

/** A remote browser cannot reach a filter on our loopback. */
function chooseMode({ profile, settings }: ConnectSource): AttachMode {
  if (settings.attachDefaultContext) return "default";
  return profile.isRemote ? "bare" : "own";
}

function policyNotKept(profile: string): ToolError {
  const message = `Profile "${profile}" is a browser elsewhere, where browser.ssrfPolicy and the origin lists cannot be kept; set browser.attachDefaultContext to true to use it all the same.`;
  return new ToolError("denied", message, { reason: "policy_not_kept", details: { profile } });
}

interface JoinRequest {
  readonly playwright: Playwright;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function joinBrowser(note: SharedNote, request: JoinRequest): Promise<Connection> {
  const { playwright, timeoutMs, signal } = request;
  const { browser: process, owner, port, sandbox, headless } = note;
  const socket = await openSocket(note.socketPath);
  const scratch = await makeScratch();
  const end = async () => {
    socket.destroy();
    await removeFolder(scratch.folder).catch(() => undefined);
  };
  try {
    const limit = { timeoutMs, signal, what: `process ${owner.pid} to share its browser` };
    const options = { timeout: timeoutMs, artifactsDir: scratch.artifacts };
    const transport = toTransport(socket);
    const browser = await within(limit, () =>
      playwright.chromium.connectOverCDP(transport, options),
    );
    const [context] = browser.contexts();
    if (context === undefined) throw new Error("it shows nothing");
    return {
      ...{ kind: "attached", context, isOurs: false, closesOwnTabs: true, policy: "enforced" },
      ...{ pid: process.pid, cdpPort: port, version: browser.version(), headless, end },
      temporary: scratch.folder,
      ...{ sharedBy: owner.pid, noSandboxReason: sandbox === SANDBOX_ON ? undefined : sandbox },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function openSocket(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.on("error", reject);
  });
}

function toTransport(socket: Socket): ConnectOverCDPTransport {
  const transport: ConnectOverCDPTransport = {
    send: (message) => sendMessage(socket, message),
    close: () => socket.destroy(),
  };
  // In separate tasks, as Playwright's own transports do.
  onMessages(socket, (message) => setImmediate(() => transport.onmessage?.(message)));
  socket.once("close", () => transport.onclose?.());
  return transport;
}
