// Makes what the host knows of the elements of one tab.

import { findElement, locateOwner } from "./find-element.js";
import { findFrame, listElements } from "./list-elements.js";
import { createRefCount } from "./ref-count.js";
import type { RefSource } from "./ref-names.js";
import type { TabElements, TabElementsOptions } from "./tab-elements.js";
import { createTabMemory } from "./tab-memory.js";
import { createTabWorld } from "./tab-world.js";
import { tellChanges } from "./tell-changes.js";
import { ENGINE } from "./world.js";

/** For a frame inside the page, which may be hung. */
const WATCH_FRAME_MS = 300;
const MAX_WATCHED_FRAMES = 40;

export function createTabElements({
  page,
  engine = ENGINE,
  refs = createOwnCount(),
}: TabElementsOptions): TabElements {
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
          // One that does not answer is not waited for, and has nothing to tell.
          world.ask<"watch">(frame, { op: "watch" }, bounded).catch(() => undefined),
        ),
      ]);
    },
    frame: (name, scope) => world.inTurn(() => findFrame(name, { world, memory, scope })),
    owner: (ref, scope) =>
      world.inTurn(async () => (await locateOwner(ref, { world, memory, scope })).frame),
    nameOf: world.names.nameOf,
    ask: (frame, operation, scope) => world.ask(frame, operation, scope),
  };
}

/** Of a tab that stands alone. */
function createOwnCount(): RefSource {
  const targetId = "t1";
  const count = createRefCount();
  return {
    next: () => count.next(targetId),
    tabOf: (ref) =>
      count.tabOf(ref) === undefined ? undefined : { targetId, isThisOne: true, isOpen: true },
  };
}
