// What a page needs from its session: Playwright's page, elements, policy and folders.

import type { Page } from "playwright-core";
import type { FilterProblem } from "../../../core/browser.js";
import type { WholeBridge } from "../../../core/files/index.js";
import type { Clock } from "../../../core/index.js";
import type { TabElements } from "../elements/tab-elements.js";
import type { DownloadQuota } from "./files/downloads.js";

export interface PageFolders {
  /** Absolute. */
  readonly uploadRoots: readonly string[];
  /** Absolute: our state. Pages get no file of it except screenshots and PDFs. */
  readonly closed?: string | undefined;
  /** Absolute. */
  readonly downloads: string;
  readonly artifacts: string;
  /** Absolute, private; removed when the browser ends. */
  readonly temporary: string;
  /** Works on open files, so that a path cannot be swapped. */
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
  /** As given to `guardScript`. */
  readonly guardName: string;
  /** The full address. Throws `denied` or `invalid_input`. */
  assertUrl(url: string): string;
  /** Rejects if the policy refuses it; no connection is made. */
  judgeUrl(url: string, signal: AbortSignal): Promise<void>;
  redactUrl(url: string): string;
  /** Why this address was refused or not reached a moment ago. */
  problemOf(url: string): FilterProblem | undefined;
  isCurrent(): boolean;
  tabIdOf(popup: Page): string | undefined;
  /** The tab limit, for a popup that was closed because of it. */
  capOn?(popup: Page): number | undefined;
}
