// Asks the documents of one tab through a Playwright selector engine: the selector is the question.
// Remembers which frame has which numbers, and the last listings.

import { INPAGE_SOURCE } from "inpage:source";
import { createHash } from "node:crypto";
import type { Frame, Locator, Page, Selectors } from "playwright-core";
import type { ListedElement } from "../../../core/browser.js";
import { isToolError, redactUrl, ToolError } from "../../../core/index.js";
import { type OperationName, type Operations, ROW_FLAGS, type Row } from "../inpage/protocol.js";
import { within } from "../session/within.js";
import type { FrameListing } from "./list-elements.js";
import { createListenerMarks } from "./listeners.js";
import { createRefNames, type RefNames, type RefSource } from "./refs.js";
import type { ElementScope } from "./tab-elements.js";

/** Numbers to skip after a lost answer. */
const LOST_NUMBERS = 250_000;
const INNER_FRAME_MS = 1_500;
const SILENT_FRAME_MS = 300;
const MAX_LISTINGS = 4;
const NO_STATES: readonly string[] = [];
/** Addresses without any of these cannot hold a secret. */
const MAY_HOLD_SECRET = /[?#@]|[\w-]{16}|^data:|hooks\./iu;
const NAME_LENGTH = 8;
const SELECTORS_BROKEN = "!";
/** Playwright's words for a closed frame or page. */
const GONE = /detached|destroyed|closed|crashed/iu;

export type TabWorld = ReturnType<typeof createTabWorld>;

export interface TabWorldOptions {
  readonly page: Page;
  readonly engine: string;
  readonly refs: RefSource;
}

export function createTabWorld({ page, engine, refs }: TabWorldOptions) {
  const names = createRefNames(refs);
  const ranges = createRefRanges();
  const frames = new Map<number, Frame>();
  const holders = new WeakMap<Frame, number>();
  const silent = new WeakSet<Frame>();
  let turn: Promise<unknown> = Promise.resolve();

  const ask = async <Name extends OperationName>(
    frame: Frame,
    operation: Operations[Name]["asks"],
    scope: ElementScope,
  ): Promise<Operations[Name]["answers"]> => {
    const givesNumbers = "firstRef" in operation;
    try {
      const answer = await askFrame({ frame, engine }, operation, scope);
      if ("nextRef" in answer) ranges.taken(frame, answer.nextRef);
      silent.delete(frame);
      return answer;
    } catch (error) {
      if (givesNumbers && isStillThere(error)) ranges.lost(frame);
      // A short limit says nothing about the frame.
      if (scope.timeoutMs >= INNER_FRAME_MS && !scope.signal.aborted) silent.add(frame);
      throw error;
    }
  };
  return {
    page,
    engine,
    ranges,
    refs,
    names,
    memory: createTabMemory(),
    toListed: createToListed(names),
    listeners: createListenerMarks(page),
    ask,
    /** A shorter limit for inner frames, shorter still for silent ones. */
    innerScope: (frame: Frame, scope: ElementScope): ElementScope => {
      const mostMs = silent.has(frame) ? SILENT_FRAME_MS : INNER_FRAME_MS;
      return { ...scope, timeoutMs: Math.min(scope.timeoutMs, mostMs) };
    },
    /** One at a time: all take numbers from one counter. */
    inTurn: <Value>(work: () => Promise<Value>): Promise<Value> => {
      const result = turn.then(work, work);
      turn = result.then(
        () => undefined,
        () => undefined,
      );
      return result;
    },
    contentOf: async (frame: Frame, iframeRef: number, scope: ElementScope) => {
      const known = frames.get(iframeRef);
      if (known && !known.isDetached()) return known;
      const found = await readContentFrame({ frame, engine }, iframeRef, scope);
      if (!found) return undefined;
      frames.set(iframeRef, found);
      // The frame is in another iframe now, so its refs are void.
      if ((holders.get(found) ?? iframeRef) !== iframeRef)
        await ask<"renew">(found, { op: "renew" }, scope);
      holders.set(found, iframeRef);
      return found;
    },
    holderOf: (frame: Frame) => holders.get(frame),
  };
}

/** A document that timed out may still hand out numbers. */
function isStillThere(error: unknown): boolean {
  if (isToolError(error)) return error.code === "timeout" || error.code === "aborted";
  return !(error instanceof Error && GONE.test(error.message));
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

interface Range {
  readonly frame: Frame;
  readonly from: number;
  to: number;
}

export function createRefRanges() {
  const ranges: Range[] = [];
  let next = 1;
  const taken = (frame: Frame, nextRef: number) => {
    if (nextRef <= next) return;
    const last = ranges.at(-1);
    if (last?.frame === frame) last.to = nextRef;
    else ranges.push({ frame, from: next, to: nextRef });
    next = nextRef;
  };
  return {
    next: () => next,
    taken,
    lost: (frame: Frame) => taken(frame, next + LOST_NUMBERS),
    ownerOf: (ref: number) => ranges.find(({ from, to }) => ref >= from && ref < to),
  };
}

function createTabMemory() {
  const documents = new Map<Frame, string>();
  const listings: (readonly ListedElement[])[] = [];
  const noteElements = (elements: readonly ListedElement[]) => {
    if (elements.length === 0) return;
    listings.unshift(elements);
    listings.length = Math.min(listings.length, MAX_LISTINGS);
  };
  return {
    documents,
    noteElements,
    noteListing: (
      { elements, frames }: FrameListing,
      { isWhole }: { readonly isWhole: boolean },
    ) => {
      if (isWhole) documents.clear();
      for (const [frame, documentId] of frames) documents.set(frame, documentId);
      noteElements(elements);
    },
    elementOf: (ref: string) => {
      for (const elements of listings) {
        const found = elements.find((element) => element.ref === ref);
        if (found) return found;
      }
      return undefined;
    },
  };
}

type Draft = { -readonly [Key in keyof ListedElement]: ListedElement[Key] };

export type ToListed = (row: Row, depthAbove?: number) => ListedElement;

function createToListed(names: Pick<RefNames, "nameOf">): ToListed {
  return ([ref, depth, role, name, states, value, url, flags], depthAbove = 0) => {
    const element: Draft = {
      depth: depth + depthAbove,
      role,
      name,
      states: states === "" ? NO_STATES : states.split(" "),
      isInteractive: (flags & ROW_FLAGS.interactive) !== 0,
      isNew: (flags & ROW_FLAGS.isNew) !== 0,
    };
    if (ref > 0) element.ref = names.nameOf(ref);
    if (value !== null) element.value = value;
    if (url !== null) element.url = MAY_HOLD_SECRET.test(url) ? redactUrl(url) : url;
    return element;
  };
}

/** Each build in one process needs its own name. */
export const ENGINE = `claw${createHash("sha256").update(INPAGE_SOURCE).digest("hex").slice(0, NAME_LENGTH)}`;

interface WorldPlace {
  readonly frame: Frame;
  readonly engine: string;
}

/** Call before the first page opens. A context that existed before needs its own engine name. */
export async function registerWorld(selectors: Selectors, engine = ENGINE): Promise<void> {
  const content = `(() => { ${INPAGE_SOURCE}; return clawInpage.createEngine(); })()`;
  try {
    await selectors.register(engine, { content }, { contentScript: true });
  } catch (error) {
    const isKnown = error instanceof Error && error.message.includes("already registered");
    if (!isKnown) throw error;
  }
}

/** Rejects with `browser_timeout`, `selector_invalid`, or a Playwright error. */
async function askFrame<Name extends OperationName>(
  { frame, engine }: WorldPlace,
  operation: Operations[Name]["asks"],
  scope: ElementScope,
): Promise<Operations[Name]["answers"]> {
  // encodeURIComponent keeps the single quote, which opens a string in Playwright's selectors.
  const question = encodeURIComponent(JSON.stringify(operation)).replaceAll("'", "%27");
  const text = await within({ ...scope, what: "the page to answer" }, () =>
    frame.locator(`${engine}=${question}`).textContent({ timeout: scope.timeoutMs }),
  );
  if (text === null || text.startsWith(SELECTORS_BROKEN)) throw toSelectorError(text ?? "");
  // Our own code wrote it, and the page cannot change it.
  return JSON.parse(text) as Operations[Name]["answers"];
}

export function locateRef({ frame, engine }: WorldPlace, ref: number): Locator {
  return frame.locator(`${engine}=e${ref}`);
}

function locateNode({ frame, engine }: WorldPlace, ref: number): Locator {
  return frame.locator(`${engine}=n${ref}`);
}

function toSelectorError(text: string): ToolError {
  const message = `The selector is not valid CSS: ${text.slice(SELECTORS_BROKEN.length)} Correct it, or leave it out.`;
  return new ToolError("invalid_input", message, { reason: "selector_invalid" });
}
