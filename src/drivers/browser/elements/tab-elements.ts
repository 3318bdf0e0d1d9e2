// The elements of one tab as the host sees them, over all frames.

import type { Frame, Locator } from "playwright-core";
import type { ListRequest, PageChange } from "../../../core/browser.js";
import type { Arming } from "../inpage/guard/guarded-events.js";
import type { Purpose } from "../inpage/protocol.js";
import { findElement } from "./find-element.js";
import { findFrame, listElements } from "./list-elements.js";
import { tellChanges } from "./tell-changes.js";
import { createTabWorld, type TabWorldOptions } from "./world.js";

const WATCH_FRAME_MS = 300;
const MAX_WATCHED_FRAMES = 40;

export interface ElementScope {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface FindScope extends ElementScope {
  /** In the main document, the same question also arms the guard. */
  readonly arm?: Arming;
}

export interface FoundElement {
  readonly frame: Frame;
  readonly ref: number;
  readonly locator: Locator;
  readonly x: number;
  readonly y: number;
  readonly tag: string;
  readonly type: string | null;
  readonly isArmed: boolean;
}

export type ElementChanges = Omit<PageChange, "tab" | "events" | "isUnsettled">;

export type TabElements = ReturnType<typeof createTabElements>;

/** All reject with the errors of the port. */
export function createTabElements(options: TabWorldOptions) {
  const { page } = options;
  const world = createTabWorld(options);
  return {
    list: (request: ListRequest, scope: ElementScope) =>
      world.inTurn(() => listElements(request, { world, scope })),
    /** Scrolls it into view and checks whether it can be acted on. */
    find: (ref: string, purpose: Purpose, scope: FindScope) =>
      world.inTurn(() => findElement(ref, purpose, { world, scope })),
    changes: (scope: ElementScope) => world.inTurn(() => tellChanges({ world, scope })),
    watch: async (scope: ElementScope) => {
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
    /** The frame in an iframe, by its ref or CSS. Rejects with `frame_not_found`. */
    frame: (name: string, scope: ElementScope) =>
      world.inTurn(() => findFrame(name, { world, scope })),
    nameOf: world.names.nameOf,
    ask: world.ask,
  };
}
