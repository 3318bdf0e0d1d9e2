// The questions to the documents of one tab, one after the other where numbers are given, and what the
// host remembers of them: who has which numbers, which iframe holds which frame.

import type { Frame, Page } from "playwright-core";
import type { OperationName, Operations } from "../inpage/protocol.js";
import { within } from "../session/within.js";
import { createRefRanges, type RefRanges } from "./ref-ranges.js";
import type { ElementScope } from "./tab-elements.js";
import { askFrame, locateNode, type WorldPlace } from "./world.js";

export interface TabWorld extends Pick<WorldPlace, "engine"> {
  readonly page: Page;
  readonly ranges: RefRanges;
  ask<Name extends OperationName>(
    frame: Frame,
    operation: Operations[Name]["asks"],
    scope: ElementScope,
  ): Promise<Operations[Name]["answers"]>;
  /** Only one at a time, because all take numbers of one counter. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value>;
  /** The frame in an iframe; undefined when it has none (yet). */
  contentOf(frame: Frame, iframeRef: number, scope: ElementScope): Promise<Frame | undefined>;
  /** The number of the iframe that holds this frame; undefined when it was never listed. */
  holderOf(frame: Frame): number | undefined;
}

export function createTabWorld(page: Page, engine: string): TabWorld {
  const ranges = createRefRanges();
  const frames = new Map<number, Frame>();
  const holders = new WeakMap<Frame, number>();
  let turn: Promise<unknown> = Promise.resolve();

  const ask: TabWorld["ask"] = async (frame, operation, scope) => {
    const givesNumbers = "firstRef" in operation;
    try {
      const answer = await askFrame({ frame, engine }, operation, scope);
      if ("nextRef" in answer) ranges.taken(frame, answer.nextRef);
      return answer;
    } catch (error) {
      if (givesNumbers) ranges.lost(frame);
      throw error;
    }
  };
  return {
    page,
    engine,
    ranges,
    ask,
    inTurn: (work) => {
      const result = turn.then(work, work);
      turn = result.then(
        () => undefined,
        () => undefined,
      );
      return result;
    },
    contentOf: async (frame, iframeRef, scope) => {
      const known = frames.get(iframeRef);
      if (known && !known.isDetached()) return known;
      const found = await readContentFrame({ frame, engine }, iframeRef, scope);
      if (!found) return undefined;
      frames.set(iframeRef, found);
      holders.set(found, iframeRef);
      return found;
    },
    holderOf: (frame) => holders.get(frame),
  };
}

async function readContentFrame(
  place: WorldPlace,
  iframeRef: number,
  scope: ElementScope,
): Promise<Frame | undefined> {
  return within({ ...scope, what: "a frame of the page" }, async () => {
    const element = await locateNode(place, iframeRef).elementHandle({ timeout: scope.timeoutMs });
    try {
      return (await element?.contentFrame()) ?? undefined;
    } finally {
      await element?.dispose();
    }
  });
}
