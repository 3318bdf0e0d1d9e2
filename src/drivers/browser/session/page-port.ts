// Makes the port of one page out of what the session knows: the filter before the browser, the folders
// for files, its place among the tabs.

import type { Page } from "playwright-core";
import type { NetFilter } from "../../../core/browser.js";
import type { Clock, RandomSource } from "../../../core/index.js";
import { createTabElements } from "../elements/create-tab-elements.js";
import type { RefSource } from "../elements/ref-names.js";
import { createBrowserPage, type DrivenPage } from "../page/create-browser-page.js";
import type { PageHandle } from "../page/page-handle.js";
import { redactUrl } from "../policy/redact-url.js";
import { readPageUrl } from "../policy/schemes.js";
import { findDenial } from "./net-filter.js";

export interface PageSource {
  readonly filter: NetFilter;
  readonly folders: PageHandle["folders"];
  readonly quota: PageHandle["quota"];
  readonly evaluateEnabled: boolean;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly guardName: string;
  /** The name under which the context knows our code in pages. */
  readonly engine: string;
}

export type PagePlace = Pick<
  PageHandle,
  "page" | "targetId" | "isCurrent" | "tabIdOf" | "capOn"
> & {
  readonly page: Page;
  readonly refs: RefSource;
};

export function createPagePort(source: PageSource, { refs, ...place }: PagePlace): DrivenPage {
  const { filter, folders, quota, evaluateEnabled, clock, guardName } = source;
  return createBrowserPage({
    ...place,
    ...{ folders, quota, evaluateEnabled, clock, guardName, redactUrl },
    elements: createTabElements({ page: place.page, engine: source.engine, refs }),
    assertUrl: readPageUrl,
    judgeUrl: (url, signal) => filter.judge(url, { signal }),
    refusedBy: (host) => findDenial(filter, { host, nowMs: clock.now() }),
    // The page tells its own end, which the session listens to.
    closed: () => undefined,
  });
}
