// Builds the port of one page from what the session knows.

import type { Page } from "playwright-core";
import type { NetFilter } from "../../../core/browser.js";
import type { Clock, RandomSource } from "../../../core/index.js";
import { redactUrl } from "../../../core/index.js";
import { findElement } from "../elements/find-element.js";
import { findFrame, listElements } from "../elements/list-elements.js";
import { createTabMemory } from "../elements/listed-element.js";
import type { RefSource } from "../elements/refs.js";
import type { TabElements } from "../elements/tab-elements.js";
import { createTabWorld, type TabWorldOptions } from "../elements/tab-world.js";
import { tellChanges } from "../elements/tell-changes.js";
import { createBrowserPage, type DrivenPage } from "../page/create-browser-page.js";
import type { PageHandle } from "../page/page-handle.js";
import { findDenial } from "../policy/net-filter.js";
import { readPageUrl } from "../policy/schemes.js";

const WATCH_FRAME_MS = 300;
const MAX_WATCHED_FRAMES = 40;

export interface PageSource {
  readonly filter: NetFilter;
  readonly folders: PageHandle["folders"];
  readonly quota: PageHandle["quota"];
  readonly evaluateEnabled: boolean;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly guardName: string;
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
  });
}

export function createTabElements({ page, engine, refs }: TabWorldOptions): TabElements {
  const world = createTabWorld({ page, engine, refs });
  const memory = createTabMemory();
  return {
    list: (request, scope) => world.inTurn(() => listElements(request, { world, memory, scope })),
    find: (ref, purpose, scope) =>
      world.inTurn(() => findElement(ref, purpose, { world, memory, scope })),
    changes: (scope) => world.inTurn(() => tellChanges({ world, memory, scope })),
    watch: async (scope) => {
      const main = page.mainFrame();
      const inner = page.frames().filter((frame) => frame !== main);
      const bounded = { ...scope, timeoutMs: Math.min(scope.timeoutMs, WATCH_FRAME_MS) };
      await Promise.all([
        world.ask<"watch">(main, { op: "watch" }, scope),
        ...inner.slice(0, MAX_WATCHED_FRAMES).map((frame) =>
          // Frames that do not answer are skipped.
          world.ask<"watch">(frame, { op: "watch" }, bounded).catch(() => undefined),
        ),
      ]);
    },
    frame: (name, scope) => world.inTurn(() => findFrame(name, { world, memory, scope })),
    nameOf: world.names.nameOf,
    ask: (frame, operation, scope) => world.ask(frame, operation, scope),
  };
}
