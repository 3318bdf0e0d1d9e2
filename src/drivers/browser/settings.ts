// The settings and ports of the driver.

import type { NetFilter } from "../../core/browser.js";
import type { Net } from "../../core/index.js";
import type { StartLockPorts } from "./launch/holder.js";
import type { QuotaLimits } from "./page/files/downloads.js";
import type { PageFolders } from "./page/page-handle.js";

export const FIRST_CDP_PORT = 18_800;
export const LAST_CDP_PORT = 18_899;
export const DEFAULT_PROFILE = "chrome";
export const DEFAULT_MAX_TABS = 8;
export const DEFAULT_TAB_DOWNLOAD_MB = 100;
export const DEFAULT_DOWNLOAD_MB = 500;
export const DEFAULT_IDLE_MINUTES = 15;
export const DEFAULT_REMOTE_TIMEOUT_MS = 1_500;
export const MIN_HANDSHAKE_TIMEOUT_MS = 2_000;

export interface ProfileChoice {
  readonly cdpPort?: number | undefined;
  readonly cdpUrl?: string | undefined;
  readonly color?: string | undefined;
  readonly headless?: boolean | undefined;
  readonly executablePath?: string | undefined;
  /** Absolute. */
  readonly userDataDir?: string | undefined;
  readonly attachOnly?: boolean | undefined;
}

export interface BrowserSettings
  extends Omit<ProfileChoice, "cdpPort" | "userDataDir">,
    QuotaLimits {
  /** Absolute; undefined: everything is removed by `close()`. */
  readonly stateDir: string | undefined;
  /** Absolute; tools can write here. */
  readonly root: string;
  readonly defaultProfile: string;
  readonly profiles: Readonly<Record<string, ProfileChoice>>;
  readonly noSandbox: boolean;
  readonly opensPort: boolean;
  readonly remoteCdpTimeoutMs: number;
  readonly remoteCdpHandshakeTimeoutMs: number;
  readonly evaluateEnabled: boolean;
  readonly extraArgs: readonly string[];
  /** undefined: never stopped. */
  readonly idleMs: number | undefined;
  readonly maxTabs: number;
  /** Use the browser's own context, where the policy is only advisory. */
  readonly attachDefaultContext: boolean;
  /** Host or origin lists are configured, so they must be enforced. */
  readonly isPolicyStrict: boolean;
  /** Processes share a browser only with equal keys. */
  readonly policyKey: string;
}

export interface BrowserPorts extends StartLockPorts {
  readonly net: Pick<Net, "fetch" | "close">;
  /** Called once; all browsers share the filter. */
  readonly openFilter: () => Promise<NetFilter>;
  /** Absolute. */
  readonly downloads: string;
  readonly files: PageFolders["files"];
  /** undefined: the config is not a file. */
  readonly removeConfigured: ((profile: string) => Promise<void>) | undefined;
}
