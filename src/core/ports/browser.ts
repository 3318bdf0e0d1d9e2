// The port to browsers: profiles and their tabs. The page of a tab is in browser-page.ts.

import type { ToolError } from "../errors.js";
import type { BrowserPage } from "./browser-page.js";

export interface BrowserScope {
  /** Default: `browser.defaultProfile`. */
  readonly profile?: string | undefined;
  /** Of the whole call; the driver has a default for each kind of work. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** How the network policy is kept: by a proxy that the browser cannot avoid, or only as far as pages go along. */
export type BrowserPolicyForce = "enforced" | "advisory";

export interface BrowserStatus {
  readonly enabled: boolean;
  readonly profile: string;
  readonly running: boolean;
  /** Started by us (`managed`), or running already (`attached`). */
  readonly kind: "managed" | "attached";
  readonly pid?: number;
  readonly cdpPort?: number;
  readonly cdpUrl?: string;
  /** Of the program found, or of the running one. */
  readonly version?: string;
  readonly executablePath?: string;
  /** Why none was found: what to install or set. */
  readonly detectError?: string;
  readonly userDataDir?: string;
  readonly headless: boolean;
  /** Chromium's own sandbox is off, and why: `root`, `config`, `no user namespaces`. */
  readonly noSandboxReason?: string;
  readonly policy: BrowserPolicyForce;
  /** undefined: another process of ours started it, and this one has not looked at its tabs. */
  readonly tabCount?: number;
  readonly color?: string;
  readonly attachOnly: boolean;
  /** One sentence on what `running` does not say: who else keeps it, what `stop` left. */
  readonly remark?: string;
  /** Tabs that wait for an answer to a dialog. */
  readonly waiting?: readonly Pick<BrowserTab, "targetId" | "dialog">[];
}

export interface BrowserProfile {
  readonly name: string;
  readonly kind: "managed" | "attached";
  readonly cdpPort?: number;
  readonly cdpUrl?: string;
  readonly color?: string;
  readonly running: boolean;
  readonly tabCount?: number;
  readonly isDefault: boolean;
  /** Its address is not on this machine: attach only. */
  readonly isRemote: boolean;
}

export interface BrowserTab {
  /** `t1`, `t2` …: never used again for another tab of the same browser. */
  readonly targetId: string;
  readonly title: string;
  /** Secrets in it are replaced. Empty when the page was refused, see `urlUnavailableReason`. */
  readonly url: string;
  readonly urlUnavailableReason?: string;
  /** It waits for an answer to this one, and answers nothing else. */
  readonly dialog?: { readonly dialogId: string; readonly type: string };
  /** The one that a call without `targetId` means. */
  readonly isCurrent: boolean;
}

export interface ClosedTab {
  readonly targetId: string;
  /** The one that a call without `targetId` means now; undefined: none is open. */
  readonly current?: string | undefined;
}

export interface BrowserFinding {
  readonly name: string;
  readonly isGood: boolean;
  /** One sentence; what to do when it is not good. */
  readonly text: string;
}

/** All reject with a ToolError. */
export interface Browsers {
  status(scope: BrowserScope): Promise<BrowserStatus>;
  start(scope: BrowserScope): Promise<BrowserStatus>;
  /** Ends a managed browser, lets go of an attached one. */
  stop(scope: BrowserScope): Promise<BrowserStatus>;
  profiles(scope: BrowserScope): Promise<readonly BrowserProfile[]>;
  createProfile(
    scope: BrowserScope & { readonly profile: string; readonly cdpUrl?: string | undefined },
  ): Promise<BrowserProfile>;
  /** With its data; never the default one. */
  deleteProfile(scope: BrowserScope & { readonly profile: string }): Promise<void>;
  /** Ends its browser and removes its data. */
  resetProfile(scope: BrowserScope): Promise<void>;
  /** None when the browser does not run. */
  tabs(scope: BrowserScope): Promise<readonly BrowserTab[]>;
  /** A new tab, in front. Starts the browser when it does not run. */
  open(
    scope: BrowserScope & {
      readonly url: string;
      /** What happened while it was opened, one sentence each: bad answers, downloads. */
      readonly tell?: ((event: string) => void) | undefined;
    },
  ): Promise<BrowserPage>;
  /** Starts the browser when it does not run. `targetId`: exact or the beginning of one; default the current tab, else a new one. */
  page(scope: BrowserScope & { readonly targetId?: string | undefined }): Promise<BrowserPage>;
  focus(scope: BrowserScope & { readonly targetId: string }): Promise<BrowserTab>;
  closeTab(scope: BrowserScope & { readonly targetId?: string | undefined }): Promise<ClosedTab>;
  doctor(scope: BrowserScope): Promise<readonly BrowserFinding[]>;
  /** Ends every browser of this process. */
  close(): Promise<void>;
}

export interface ConsoleEntry {
  readonly level: "error" | "warning" | "info" | "log" | "debug";
  readonly text: string;
  readonly atMs: number;
  /** `url:line`, secrets replaced. */
  readonly location?: string;
}

export interface RequestEntry {
  /** `r1` … */
  readonly id: string;
  readonly method: string;
  /** Secrets replaced. */
  readonly url: string;
  readonly kind: string;
  readonly status?: number;
  /** Why it failed; for one the policy refused, the rule. */
  readonly failure?: string;
  readonly atMs: number;
}

export interface PageRecords<Entry> {
  /** The newest `limit`, oldest first. */
  readonly entries: readonly Entry[];
  /** In the buffer and matching. */
  readonly total: number;
  /** Fell out of the buffer. */
  readonly dropped: number;
}

export interface RecordsRequest {
  readonly limit: number;
  readonly query?: string | undefined;
  readonly clear?: boolean | undefined;
}

/** What came of a connection that was asked for and not made. */
export interface FilterProblem {
  readonly host: string;
  readonly port: number;
  /** Since 1970. */
  readonly atMs: number;
  /**
   * `denied` (`address_refused`, `host_refused`) with the key that would allow it, or `unavailable`
   * (`name_not_found`, `connection_failed`), `timeout` (`net_timeout`).
   */
  readonly error: ToolError;
}

interface FilterCounts {
  /** Plain requests and tunnels that were let through. */
  readonly passed: number;
  readonly denied: number;
  /** Let through by the rules, but not reached. */
  readonly failed: number;
  readonly open: number;
}

export interface NetFilter {
  /** Where the program finds it: HTTP, on loopback. */
  readonly address: { readonly host: string; readonly port: number };
  /** The newest problem of the host and port of this URL; undefined: none that is as young. */
  problemOf(url: string, options: { readonly sinceMs: number }): FilterProblem | undefined;
  /** The newest ones, oldest first. */
  problems(): readonly FilterProblem[];
  counts(): FilterCounts;
  /** From now on this port of this machine is not reached; the returned function takes it back. */
  refusePort(port: number): () => void;
  /** Checks without a connection: throws as the connection would, and notes it alike. */
  judge(url: string, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Ends every connection: the program then has no network. */
  close(): Promise<void>;
}
