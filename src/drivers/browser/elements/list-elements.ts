// Lists a tab with its iframes. A frame that does not answer in time is a gap in the listing.

import type { Frame } from "playwright-core";
import type { ListedElement, ListRequest, PageListing } from "../../../core/browser.js";
import {
  type ListAnswer,
  type ListOperation,
  MAX_ELEMENTS,
  ROW_FLAGS,
  type Row,
} from "../inpage/protocol.js";
import { frameNotFound } from "./element-errors.js";
import { locateOwner, refuseStale, type TabScope } from "./find-element.js";
import { parseRef } from "./refs.js";
import type { ElementScope } from "./tab-elements.js";
import type { TabWorld } from "./world.js";

/** `main` can also be CSS, for an element that is not a frame. */
const MAIN = /^(?:_?top|main(?:[ _-]?(?:frame|document|page))?|self|page)$/i;
const FRAMES_PART = 0.4;
const MAX_FRAMES = 40;
const MAX_FRAME_DEPTH = 6;

interface Start {
  readonly frame: Frame;
  readonly answer: ListAnswer;
}

export async function listElements(request: ListRequest, options: TabScope): Promise<PageListing> {
  const { world, scope } = options;
  await world.listeners.mark();
  const start = await askStart(request, options);
  const listing: FrameListing = createFrameListing();
  const untilMs = performance.now() + scope.timeoutMs * FRAMES_PART;
  await addDocument(world, { ...start, depth: 0, level: 0 }, { listing, request, scope, untilMs });
  if (listing.leftOut > 0) listing.gaps.push(tellLeftOut(listing.leftOut));
  const isMain = start.frame === world.page.mainFrame();
  const isWhole = !request.ref && !request.selector && isMain;
  world.memory.noteListing(listing, { isWhole });
  const { elements, gaps, isCut } = listing;
  return { documentId: start.answer.documentId, elements, gaps, isCut };
}

function tellLeftOut(count: number): string {
  const which = count === 1 ? "One iframe was" : `${count} iframes were`;
  return `${which} left out, because there are too many or they took too long; list one with frame.`;
}

async function askStart(request: ListRequest, options: TabScope): Promise<Start> {
  const { world, scope } = options;
  const { ref: text, selector, frame: name } = request;
  const whole = listOperation(world, request);
  if (text === undefined) {
    const frame = name === undefined ? world.page.mainFrame() : await findFrame(name, options);
    const asks = selector === undefined ? whole : { ...whole, selector };
    return { frame, answer: await world.ask<"list">(frame, asks, scope) };
  }
  const { ref, frame } = await locateOwner(text, options);
  const answer = await world.ask<"list">(frame, { ...whole, ref }, scope);
  if (!answer.why) return { frame, answer };
  const why = answer.why === "unknown" ? "other_document" : answer.why;
  return refuseStale({ text, why }, options);
}

export async function findFrame(selector: string, options: TabScope): Promise<Frame> {
  const { world, scope } = options;
  if (MAIN.test(selector.trim())) return world.page.mainFrame();
  if (parseRef(selector) !== undefined) {
    const owner = await locateOwner(selector, options);
    const inner = await world.contentOf(owner.frame, owner.ref, scope);
    if (!inner) throw frameNotFound(selector);
    return inner;
  }
  const main = world.page.mainFrame();
  const asks = { ...listOperation(world, {}), selector };
  const { rows } = await world.ask<"list">(main, asks, scope);
  const [first, second] = rows.filter(isFrameRow);
  // With several frames inside the match, it is unclear which one is meant.
  const row = rows[0] === first || second === undefined ? first : undefined;
  const frame = row && (await world.contentOf(main, row[0], scope));
  if (!frame) throw frameNotFound(selector);
  return frame;
}

export interface FrameListing {
  readonly elements: ListedElement[];
  readonly gaps: string[];
  readonly frames: Map<Frame, string>;
  isCut: boolean;
  leftOut: number;
}

interface Listed {
  readonly listing: FrameListing;
  readonly request?: ListRequest;
  readonly scope: ElementScope;
  readonly untilMs?: number | undefined;
}

interface Place {
  readonly frame: Frame;
  readonly answer: ListAnswer;
  readonly depth: number;
  readonly level: number;
}

export function createFrameListing(): FrameListing {
  return { elements: [], gaps: [], frames: new Map(), isCut: false, leftOut: 0 };
}

export async function addDocument(world: TabWorld, place: Place, at: Listed): Promise<void> {
  const { listing } = at;
  const { frame, answer, depth, level } = place;
  listing.frames.set(frame, answer.documentId);
  listing.isCut ||= answer.isCut;
  for (const tag of answer.closedRoots) {
    listing.gaps.push(`The content of <${tag}> is closed to us; use a screenshot and clickCoords.`);
  }
  for (const row of answer.rows) {
    const isRoomLeft = listing.elements.length < MAX_ELEMENTS;
    listing.isCut ||= !isRoomLeft;
    if (!isRoomLeft) return;
    listing.elements.push(world.toListed(row, depth));
    if (isFrameRow(row)) {
      const inner = { frame, row, depth: depth + row[1] + 1, level: level + 1 };
      await addFrame(world, inner, at);
    }
  }
}

async function addFrame(
  world: TabWorld,
  place: {
    readonly frame: Frame;
    readonly row: Row;
    readonly depth: number;
    readonly level: number;
  },
  at: Listed,
): Promise<void> {
  const { listing, scope } = at;
  const { row, level, depth } = place;
  const name = `The iframe ${world.names.nameOf(row[0])}`;
  const isLate = at.untilMs !== undefined && performance.now() > at.untilMs;
  if (level > MAX_FRAME_DEPTH || listing.frames.size >= MAX_FRAMES || isLate) {
    listing.leftOut += 1;
    return;
  }
  try {
    const inner = await world.contentOf(place.frame, row[0], world.innerScope(place.frame, scope));
    if (!inner || listing.frames.has(inner)) return;
    const asks = listOperation(world, at.request ?? {});
    const answer = await world.ask<"list">(inner, asks, world.innerScope(inner, scope));
    await addDocument(world, { frame: inner, answer, depth, level }, at);
  } catch (error) {
    if (scope.signal.aborted) throw error;
    listing.gaps.push(`${name} did not answer, so what is in it is not listed.`);
  }
}

function listOperation(world: TabWorld, request: ListRequest): ListOperation {
  const { withBoxes = false, isGlance = false } = request;
  return { op: "list", firstRef: world.ranges.next(), withBoxes, isGlance };
}

export function askWhole(world: TabWorld, frame: Frame, scope: ElementScope): Promise<ListAnswer> {
  return world.ask<"list">(frame, listOperation(world, {}), scope);
}

export function isFrameRow(row: Row): boolean {
  return (row[7] & ROW_FLAGS.frame) !== 0;
}
