// Marks elements with click listeners, which only the debugger can see. Best effort.

import type { CDPSession, Page } from "playwright-core";
import { LISTENED } from "../inpage/protocol.js";
import { atMost } from "../session/within.js";

const MAX_MS = 1_500;
const MAX_MARKED = 2_000;
const GROUP = "claw-listeners";
const UTILITY_WORLD = /^__playwright_utility_world/u;
const TYPES: ReadonlySet<string> = new Set(
  "click mousedown mouseup pointerdown pointerup touchstart dblclick contextmenu dragstart mouseenter mouseover".split(
    " ",
  ),
);
const MARK = `function (...nodes) {
  globalThis.${LISTENED} ??= new WeakSet();
  for (const node of nodes) globalThis.${LISTENED}.add(node);
}`;

interface Connection {
  readonly session: CDPSession;
  readonly worlds: ReadonlyMap<string, Worlds>;
}

interface Worlds {
  /** Of the page: asking for listeners in our own world has crashed Chromium. */
  page?: number;
  own?: number;
  readonly known: Set<number>;
}

export function createListenerMarks(page: Page) {
  let opening: Promise<Connection> | undefined;
  return {
    /** Never rejects. */
    mark: async () => {
      const work = async () => {
        opening ??= connect(page);
        const { session, worlds } = await opening;
        for (const one of worlds.values()) await markFrame(session, one);
      };
      // The page is closing, or the browser allows no session.
      await atMost(MAX_MS, work).catch(() => undefined);
    },
  };
}

async function connect(page: Page): Promise<Connection> {
  const session = await page.context().newCDPSession(page);
  const worlds = new Map<string, Worlds>();
  session.on("Runtime.executionContextCreated", ({ context }) => {
    const frame = String(context.auxData?.frameId);
    const found: Worlds = worlds.get(frame) ?? { known: new Set() };
    worlds.set(frame, found);
    if (context.auxData?.isDefault) found.page = context.id;
    else if (UTILITY_WORLD.test(context.name)) {
      found.own = context.id;
      found.known.clear();
    }
  });
  session.on("Runtime.executionContextDestroyed", ({ executionContextId: id }) => {
    for (const [frame, one] of worlds) if (one.page === id) worlds.delete(frame);
  });
  session.on("Runtime.executionContextsCleared", () => worlds.clear());
  await session.send("Runtime.enable");
  return { session, worlds };
}

async function markFrame(session: CDPSession, { page, own, known }: Worlds): Promise<void> {
  if (page === undefined || own === undefined) return;
  const { result } = await session.send("Runtime.evaluate", {
    ...{ expression: "document", contextId: page, objectGroup: GROUP },
  });
  const objectId = result.objectId ?? "";
  const { listeners } = await session.send("DOMDebugger.getEventListeners", {
    ...{ objectId, depth: -1, pierce: true },
  });
  const listening = listeners.filter(({ type }) => TYPES.has(type));
  const nodes = new Set(listening.flatMap(({ backendNodeId }) => backendNodeId ?? []));
  const fresh = [...nodes].filter((node) => !known.has(node)).slice(0, MAX_MARKED);
  const found = await Promise.all(fresh.map((node) => resolveNode(session, { node, own })));
  for (const [index, node] of fresh.entries()) if (found[index] !== undefined) known.add(node);
  const marked = found.filter((one) => one !== undefined);
  if (marked.length > 0) {
    await session.send("Runtime.callFunctionOn", {
      functionDeclaration: MARK,
      executionContextId: own,
      arguments: marked.map((one) => ({ objectId: one })),
    });
  }
  await session.send("Runtime.releaseObjectGroup", { objectGroup: GROUP });
}

async function resolveNode(
  session: CDPSession,
  { node, own }: { readonly node: number; readonly own: number },
): Promise<string | undefined> {
  const asks = { backendNodeId: node, executionContextId: own, objectGroup: GROUP };
  const answer = await session.send("DOM.resolveNode", asks).catch(() => undefined);
  return answer?.object.objectId;
}
