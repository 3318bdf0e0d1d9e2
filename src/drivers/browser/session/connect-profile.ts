// From a profile to a connected browser: attached where it has an address, shared where it runs
// already, else started.

import { isToolError, type NetFilter, type RandomSource, ToolError } from "../../../core/index.js";
import { type AttachMode, attachBrowser } from "../attach/attach-browser.js";
import { readCdpUrl } from "../attach/cdp-url.js";
import { choosePort } from "../launch/choose-port.js";
import { profileHeld, readHolder } from "../launch/holder.js";
import { launchBrowser } from "../launch/launch-browser.js";
import { findWinner, reclaimProfile } from "../launch/reclaim.js";
import { listNetFlags } from "../policy/net-flags.js";
import type { Profile } from "../profiles/list-profiles.js";
import type { BrowserSettings } from "../settings.js";
import type { Connection } from "./connection.js";
import type { Playwright } from "./load-playwright.js";

export const MAX_START_MS = 20_000;
const MAX_WINNER_MS = 3_000;
const LOOK_PAUSE_MS = 100;
const HELD = /ProcessSingleton|already in use|existing browser session/i;

export interface ConnectSource {
  readonly profile: Profile;
  /** All of them: their ports are not to be taken. */
  readonly profiles: readonly Profile[];
  readonly settings: BrowserSettings;
  readonly playwright: Playwright;
  readonly filter: NetFilter;
  readonly random: RandomSource;
  /** For the next start of this profile. */
  readonly rememberPort: (port: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Rejects with the errors of the port for a start. */
export async function connectProfile(source: ConnectSource): Promise<Connection> {
  const { profile, settings } = source;
  if (profile.cdpUrl !== undefined) return attachByUrl(source, profile.cdpUrl);
  const request = { profile, policyKey: settings.policyKey };
  const runningPort = await reclaimProfile(request);
  if (runningPort !== undefined) return share(source, runningPort);
  if (profile.attachOnly) return attachToPort(source);
  try {
    return await start(source);
  } catch (error) {
    if (!isToolError(error) || !HELD.test(error.message)) throw error;
    return share(source, await waitForWinner(source));
  }
}

async function start(source: ConnectSource): Promise<Connection> {
  const { profile, profiles, settings, playwright, filter, random, signal } = source;
  const port = settings.opensPort ? await choosePort(profile, profiles) : undefined;
  const { noSandbox, extraArgs, policyKey } = settings;
  const connection = await launchBrowser({
    ...{ profile, playwright, noSandbox, extraArgs, policyKey, port, random, signal },
    netFlags: listNetFlags(filter.address),
    timeoutMs: MAX_START_MS,
  });
  const { cdpPort } = connection;
  if (cdpPort === undefined) return connection;
  if (cdpPort !== profile.cdpPort) await source.rememberPort(cdpPort);
  const release = filter.refusePort(cdpPort);
  return {
    ...connection,
    async end() {
      release();
      await connection.end();
    },
  };
}

/** A browser that another of our processes started, or another toolkit of this one. */
async function share(source: ConnectSource, port: number): Promise<Connection> {
  try {
    const connection = await attach(source, { cdpUrl: `http://127.0.0.1:${port}`, mode: "shared" });
    return { ...connection, cdpPort: port };
  } catch (error) {
    if (!isToolError(error) || error.reason !== "browser_unreachable") throw error;
    throw await heldBySomebody(source, `does not answer on port ${port}`);
  }
}

/** Two started at once: the one that lost waits until the other has said where it listens. */
async function waitForWinner(source: ConnectSource): Promise<number> {
  const { profile, settings, signal } = source;
  for (let waitedMs = 0; waitedMs < MAX_WINNER_MS; waitedMs += LOOK_PAUSE_MS) {
    const port = await findWinner({ profile, policyKey: settings.policyKey });
    if (port !== undefined) return port;
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS));
  }
  throw await heldBySomebody(source, "does not say how to attach to it");
}

async function heldBySomebody({ profile }: ConnectSource, why: string): Promise<ToolError> {
  const { name, userDataDir } = profile;
  return profileHeld({ profile: name, userDataDir, holder: await readHolder(userDataDir), why });
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
  // One that a person configured is theirs to choose; one that a call named is judged like a page.
  if (profile.source === "created") await filter.judge(url.href, { signal });
  const mode = chooseMode(source);
  if (mode !== "own" && settings.isPolicyStrict && !settings.attachDefaultContext) {
    throw policyNotKept(profile.name);
  }
  return attach(source, { cdpUrl, mode });
}

/** A browser elsewhere cannot reach a filter on our loopback. */
function chooseMode({ profile, settings }: ConnectSource): AttachMode {
  if (settings.attachDefaultContext) return "default";
  return profile.isRemote ? "bare" : "own";
}

function attach(
  { playwright, filter, settings, signal }: ConnectSource,
  { cdpUrl, mode }: { readonly cdpUrl: string; readonly mode: AttachMode },
): Promise<Connection> {
  return attachBrowser({
    ...{ cdpUrl, mode, playwright, filter, signal },
    timeoutMs: settings.remoteCdpTimeoutMs,
    handshakeTimeoutMs: settings.remoteCdpHandshakeTimeoutMs,
  });
}

function policyNotKept(profile: string): ToolError {
  return new ToolError(
    "denied",
    `Profile "${profile}" is a browser elsewhere, where browser.ssrfPolicy and the origin lists cannot be kept; set browser.attachDefaultContext to true to use it all the same.`,
    { reason: "policy_not_kept", details: { profile } },
  );
}
