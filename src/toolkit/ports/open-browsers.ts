// Joins the browser driver with the filter that its pages go through. Loaded at the first use.

import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { type ClawtoolsConfig, showKeyPath } from "../../config/index.js";
import type { Browsers } from "../../core/browser.js";
import { type RunPorts, ToolError } from "../../core/index.js";
import {
  type BrowserSettings,
  createBrowsers,
  DEFAULT_DOWNLOAD_MB,
  DEFAULT_IDLE_MINUTES,
  DEFAULT_MAX_TABS,
  DEFAULT_PROFILE,
  DEFAULT_REMOTE_TIMEOUT_MS,
  DEFAULT_TAB_DOWNLOAD_MB,
  MIN_HANDSHAKE_TIMEOUT_MS,
  type ProfileChoice,
} from "../../drivers/browser/index.js";
import { createNodeBridge } from "../../drivers/fs/index.js";
import { createFilterProxy, createNet } from "../../drivers/net/index.js";
import { createProcessMarks } from "../../drivers/store/index.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import { filterSettings } from "./net.js";

const DOWNLOADS = "downloads";
const POLICY_KEY = "browser.ssrfPolicy";

export interface BrowsersSource {
  readonly root: string;
  readonly config: ClawtoolsConfig;
  /** Absolute; undefined keeps no profile beyond `close()`. */
  readonly stateDir: string | undefined;
  readonly system: Pick<RunPorts, "clock" | "random">;
  readonly changeConfig?: ToolkitOptions["changeConfig"];
}

/** Throws `unavailable` / `browser_disabled` when the configuration says so. */
export function openBrowsers(source: BrowsersSource): Browsers {
  const { config, stateDir, system, changeConfig } = source;
  if (config.browser?.enabled === false) throw disabled();
  const root = resolve(source.root);
  return createBrowsers(readBrowserSettings({ config, root, stateDir }), {
    clock: system.clock,
    random: system.random,
    owners: createProcessMarks(),
    files: createNodeBridge(root, { stateDir }),
    downloads: join(root, DOWNLOADS),
    // Without a proxy: browsers are asked on their own ports.
    net: createNet(),
    openFilter: () => openFilter(config),
    removeConfigured:
      changeConfig &&
      ((name) => changeConfig(showKeyPath(["browser", "profiles", name]), undefined)),
  });
}

function openFilter(config: ClawtoolsConfig) {
  const { ssrfPolicy: policy, allowedOrigins, blockedOrigins } = config.browser ?? {};
  return createFilterProxy({
    ...{ policy, policyKey: POLICY_KEY, allowedOrigins, blockedOrigins },
    ...filterSettings(config),
  });
}

function disabled(): ToolError {
  return new ToolError(
    "unavailable",
    "The browser is turned off; set browser.enabled to true to use it.",
    { reason: "browser_disabled" },
  );
}

const MEGABYTE = 1_000_000;
const MINUTE_MS = 60_000;
const HANDSHAKE_FACTOR = 2;
const KEY_CHARS = 16;

type BrowserSection = NonNullable<ClawtoolsConfig["browser"]>;
type ProfileSection = NonNullable<NonNullable<BrowserSection["profiles"]>[string]>;

type BrowserSettingsSource = Pick<BrowsersSource, "config" | "root" | "stateDir">;

function readBrowserSettings(source: BrowserSettingsSource): BrowserSettings {
  const { config, root, stateDir } = source;
  const section = config.browser ?? {};
  const remoteMs = section.remoteCdpTimeoutMs ?? DEFAULT_REMOTE_TIMEOUT_MS;
  const { color, headless, executablePath, cdpUrl, attachOnly } = section;
  return {
    ...{ stateDir, root, color, headless, executablePath, cdpUrl, attachOnly },
    defaultProfile: section.defaultProfile ?? DEFAULT_PROFILE,
    profiles: Object.fromEntries(
      Object.entries(section.profiles ?? {}).map(([name, profile]) => [
        name,
        toChoice(profile, root),
      ]),
    ),
    noSandbox: section.noSandbox ?? false,
    opensPort: section.port ?? false,
    remoteCdpTimeoutMs: remoteMs,
    remoteCdpHandshakeTimeoutMs:
      section.remoteCdpHandshakeTimeoutMs ??
      Math.max(MIN_HANDSHAKE_TIMEOUT_MS, HANDSHAKE_FACTOR * remoteMs),
    evaluateEnabled: section.evaluateEnabled ?? true,
    extraArgs: section.extraArgs ?? [],
    idleMs: readIdleMs(section),
    maxTabBytes: (section.maxTabDownloadMb ?? DEFAULT_TAB_DOWNLOAD_MB) * MEGABYTE,
    maxBytes: (section.maxDownloadMb ?? DEFAULT_DOWNLOAD_MB) * MEGABYTE,
    maxTabs: section.maxTabs ?? DEFAULT_MAX_TABS,
    attachDefaultContext: section.attachDefaultContext ?? false,
    isPolicyStrict: isStrict(section),
    policyKey: toPolicyKey(config),
  };
}

function toChoice(profile: ProfileSection, root: string): ProfileChoice {
  const { cdpPort, cdpUrl, color, headless, executablePath, userDataDir, attachOnly } = profile;
  return {
    ...{ cdpPort, cdpUrl, color, headless, executablePath, attachOnly },
    ...(userDataDir === undefined ? {} : { userDataDir: resolve(root, userDataDir) }),
  };
}

function readIdleMs({ idleMinutes, tabCleanup }: BrowserSection): number | undefined {
  const minutes = idleMinutes ?? DEFAULT_IDLE_MINUTES;
  return minutes === 0 || tabCleanup?.enabled === false ? undefined : minutes * MINUTE_MS;
}

/** Anyone who writes lists of hosts wants them kept. */
function isStrict({ ssrfPolicy, allowedOrigins, blockedOrigins }: BrowserSection): boolean {
  const lists = [
    allowedOrigins,
    blockedOrigins,
    ssrfPolicy?.hostnameAllowlist,
    ssrfPolicy?.blockedHostnames,
  ];
  return lists.some((list) => list !== undefined && list.length > 0);
}

function toPolicyKey({ browser, tools }: ClawtoolsConfig): string {
  const { ssrfPolicy, allowedOrigins, blockedOrigins } = browser ?? {};
  const { proxy, noProxy } = tools?.net ?? {};
  const rules = [sortKeys(ssrfPolicy ?? {}), allowedOrigins, blockedOrigins, proxy, noProxy];
  return createHash("sha256").update(JSON.stringify(rules)).digest("hex").slice(0, KEY_CHARS);
}

function sortKeys(record: Readonly<Record<string, unknown>>) {
  return Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
