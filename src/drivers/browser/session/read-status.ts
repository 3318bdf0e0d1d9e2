// The status of a profile's browser, running or not.

import { execFile } from "node:child_process";
import type { BrowserProfile, BrowserStatus } from "../../../core/browser.js";
import { isToolError, redactUrl } from "../../../core/index.js";
import { withoutUndefined } from "../../../lib/without-undefined.js";
import { chooseHeadless, chooseNoSandbox } from "../launch/choose-sandbox.js";
import { findShareFault } from "../launch/end-browser.js";
import { findBrowser } from "../launch/find-browser.js";
import { type RunningNote, readNote, SANDBOX_ON } from "../launch/holder.js";
import { isAlive } from "../launch/processes.js";
import type { Profile } from "../profiles/list-profiles.js";
import type { BrowserSettings } from "../settings.js";
import type { Connection } from "./connection.js";
import type { Session } from "./open-session.js";

const MAX_VERSION_MS = 5_000;
const MAX_VERSION_BYTES = 10_000;
const VERSION = /\d+(?:\.\d+){1,3}/;
const ATTACHES = "; start attaches to it, and tabs lists what is open";
const END_IT = "end that process, or use another profile";

export interface StatusSource {
  readonly profile: Profile;
  readonly session: Session | undefined;
  readonly settings: BrowserSettings;
  readonly signal: AbortSignal;
}

export async function readStatus(source: StatusSource): Promise<BrowserStatus> {
  const { profile, session } = source;
  const { name, kind, color, attachOnly, cdpUrl, userDataDir } = profile;
  const common = {
    enabled: true,
    profile: name,
    color,
    attachOnly,
    ...(cdpUrl === undefined ? { userDataDir } : { cdpUrl: redactUrl(cdpUrl) }),
  };
  if (session !== undefined) {
    const waiting = session.waiting();
    return {
      ...{ ...common, ...fromConnection(session), running: true, tabCount: session.tabCount() },
      ...(waiting.length > 0 && { waiting }),
    };
  }
  const note = kind === "managed" ? await findRunning(profile) : undefined;
  const facts = { ...common, ...(await fromMachine(source, note)), policy: willForce(source) };
  if (note === undefined) return { ...facts, running: false, tabCount: 0, kind };
  return { ...facts, ...toNoted(note, source) };
}

function toNoted(note: RunningNote, { profile, settings }: StatusSource) {
  const { browser, owner, port, sandbox } = note;
  const fault = findShareFault(note, settings.policyKey);
  const next =
    fault === undefined ? ATTACHES : `, and it ${fault}, so nothing here can use it; ${END_IT}`;
  const noSandboxReason = sandbox === SANDBOX_ON ? undefined : sandbox;
  return {
    running: true,
    kind: fault === undefined ? "attached" : profile.kind,
    pid: browser.pid,
    ...withoutUndefined({ cdpPort: port, noSandboxReason }),
    remark: `Process ${owner.pid} started it${next}.`,
  } as const;
}

/** A browser that was not started here keeps running. */
export function tellStop(ended: Connection | undefined, status: BrowserStatus): BrowserStatus {
  if (ended?.kind === "attached") {
    const who =
      ended.sharedBy === undefined
        ? "it was not started here"
        : `process ${ended.sharedBy} started it`;
    const tabs =
      ended.isOurs || ended.closesOwnTabs ? "; the tabs that were opened here are closed" : "";
    return { ...status, remark: `Let go, not stopped: ${who}, so it goes on${tabs}.` };
  }
  if (!status.running) return status;
  const { remark = "" } = status;
  return { ...status, remark: `Not stopped: ${remark.replace(ATTACHES, "")}` };
}

function fromConnection({ connection }: Session) {
  const { kind, policy, headless, pid, cdpPort, version } = connection;
  const { executablePath, noSandboxReason } = connection;
  const facts = { pid, cdpPort, version, executablePath, noSandboxReason };
  return { kind, policy, headless, ...withoutUndefined(facts) };
}

async function fromMachine(
  { profile, settings, signal }: StatusSource,
  note: RunningNote | undefined,
) {
  const headless = chooseHeadless(profile.headless);
  if (profile.kind === "attached") return { headless };
  try {
    const path = await findBrowser(profile.executablePath, settings);
    const { noSandbox } = settings;
    const [version, noSandboxReason] = await Promise.all([
      readVersion(path, { signal }),
      chooseNoSandbox({ path, noSandbox }),
    ]);
    const reason = note ? undefined : noSandboxReason;
    const found = withoutUndefined({ version, noSandboxReason: reason });
    return { headless, executablePath: path, ...found };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { headless, detectError: error.message };
  }
}

export async function findRunning({ folder }: Profile): Promise<RunningNote | undefined> {
  const note = await readNote(folder);
  return note !== undefined && isAlive(note.browser) ? note : undefined;
}

function willForce({ profile, settings }: StatusSource): BrowserStatus["policy"] {
  const isAdvice =
    profile.kind === "attached" && (profile.isRemote || settings.attachDefaultContext);
  return isAdvice ? "advisory" : "enforced";
}

export async function toListedProfile(
  profile: Profile,
  session: Session | undefined,
): Promise<BrowserProfile> {
  const { name, kind, cdpPort, cdpUrl, color, isDefault, isRemote } = profile;
  const note = session === undefined && kind === "managed" ? await findRunning(profile) : undefined;
  const port = session?.connection.cdpPort ?? note?.port ?? cdpPort;
  const shown = cdpUrl === undefined ? undefined : redactUrl(cdpUrl);
  return {
    ...{ name, kind, color, isDefault, isRemote },
    ...withoutUndefined({ cdpPort: port, cdpUrl: shown }),
    running: session !== undefined || note !== undefined,
    ...(note === undefined ? { tabCount: session?.tabCount() ?? 0 } : {}),
  };
}

/** Not on Windows, where these programs would open a window. */
async function readVersion(
  path: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (process.platform === "win32") return undefined;
  return new Promise((resolve) => {
    execFile(
      path,
      ["--version"],
      { timeout: MAX_VERSION_MS, killSignal: "SIGKILL", maxBuffer: MAX_VERSION_BYTES, signal },
      (_error, output) => resolve(VERSION.exec(output)?.[0]),
    );
  });
}
