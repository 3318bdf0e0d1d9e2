// What a page needs of the session that owns it: Playwright's page, the elements of the tab, the policy,
// the folders for files. The session makes one handle a tab.

import type { Page } from "playwright-core";
import type { WholeBridge } from "../../../core/files/index.js";
import type { Clock } from "../../../core/index.js";
import type { TabElements } from "../elements/tab-elements.js";
import type { NetDenial } from "../policy/net-filter.js";
import type { DownloadQuota } from "./files/downloads.js";

export interface PageFolders {
  /** Absolute. Files that are handed to pages lie below one of them. */
  readonly uploadRoots: readonly string[];
  /** Absolute: keys and databases of ours. No page gets a file of it, but for screenshots and PDFs. */
  readonly closed?: string | undefined;
  /** Absolute; the first is where downloads go when no path is said. */
  readonly downloadRoots: readonly string[];
  /** Absolute: screenshots and PDFs. Made when it is missing. */
  readonly artifacts: string;
  /** Absolute, of this user alone; removed when the browser ends. */
  readonly temporary: string;
  /** Reads and writes below the roots, by the files it has judged and not by their names. */
  readonly files: Pick<WholeBridge, "openFile" | "writeFile">;
}

export interface PageHandle {
  readonly page: Page;
  readonly targetId: string;
  readonly elements: TabElements;
  readonly folders: PageFolders;
  readonly quota: DownloadQuota;
  readonly evaluateEnabled: boolean;
  readonly clock: Clock;
  /** The same as given to `guardScript` of the browser context; undefined when it was not installed. */
  readonly guardName?: string | undefined;
  /** Throws `denied` or `invalid_input` for an address that must not be opened, else gives it in full. */
  assertUrl(url: string): string;
  /** Whether the policy lets it out, without a connection; `refusedBy` knows why it rejects. */
  judgeUrl(url: string, signal: AbortSignal): Promise<void>;
  /** Replaces the secrets in an address. */
  redactUrl(url: string): string;
  /** The newest refusal of this host (a name or `name:port`), while it is fresh. */
  refusedBy(host: string): NetDenial | undefined;
  isCurrent(): boolean;
  tabIdOf(popup: Page): string | undefined;
  /** How many tabs may be open, of a pop-up that was closed because it was one more. */
  capOn?(popup: Page): number | undefined;
}
