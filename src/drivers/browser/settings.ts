// What the driver is reported: the `browser` section of the configuration with its defaults, and the
// ports that it is on.

import type { NetFilter } from "../../core/browser.js";
import type { Net } from "../../core/index.js";
import type { StartLockPorts } from "./launch/start-lock.js";
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
  /** Absolute; undefined keeps nothing beyond `close()`. */
  readonly stateDir: string | undefined;
  /** Absolute; where tools write. */
  readonly root: string;
  readonly defaultProfile: string;
  readonly profiles: Readonly<Record<string, ProfileChoice>>;
  readonly noSandbox: boolean;
  readonly opensPort: boolean;
  readonly remoteCdpTimeoutMs: number;
  readonly remoteCdpHandshakeTimeoutMs: number;
  readonly evaluateEnabled: boolean;
  readonly extraArgs: readonly string[];
  /** undefined: never stopped for being idle. */
  readonly idleMs: number | undefined;
  readonly maxTabs: number;
  /** The own context of an attached browser is used, where no policy can be kept by force. */
  readonly attachDefaultContext: boolean;
  /** Someone wrote rules that must hold: lists of hosts or origins. */
  readonly isPolicyStrict: boolean;
  /** Equal for equal network policies; who shares a browser must have the same one. */
  readonly policyKey: string;
}

/** Where uploads are read and downloads are written, next to the folder of the driver's own files. */
export interface FileRoots {
  /** Absolute. */
  readonly uploads: readonly string[];
  /** Absolute; into the first when a call names no place. */
  readonly downloads: readonly string[];
}

export interface BrowserPorts extends StartLockPorts {
  readonly net: Pick<Net, "fetch" | "close">;
  /** Called once, before the first browser; one filter is for all of them and closed with them. */
  readonly openFilter: () => Promise<NetFilter>;
  readonly roots: FileRoots;
  readonly files: PageFolders["files"];
  /** Removes a profile from the config file; undefined where the config is not a file. */
  readonly removeConfigured: ((profile: string) => Promise<void>) | undefined;
}
