// Lists a document with the documents of its iframes, each below the row of its iframe. A frame that does
// not answer in time is a gap of the listing, never a wait without end.

import type { Frame } from "playwright-core";
import type { ListedElement, ListRequest } from "../../../core/browser.js";
import type { ListAnswer, ListOperation, Row } from "../inpage/protocol.js";
import { isFrameRow } from "./listed-element.js";
import type { ElementScope } from "./tab-elements.js";
import type { TabWorld } from "./tab-world.js";

export const MAX_ELEMENTS = 100_000;
const MAX_FRAMES = 40;
const MAX_FRAME_DEPTH = 6;

export interface FrameListing {
  readonly elements: ListedElement[];
  readonly gaps: string[];
  readonly frames: Map<Frame, string>;
  isCut: boolean;
  /** Iframes that no one looked into: there were too many, or they took too long. */
  leftOut: number;
}

interface Listed {
  readonly listing: FrameListing;
  /** How the documents in it are listed. */
  readonly request?: ListRequest;
  readonly scope: ElementScope;
  /** By `performance.now()`: frames beyond it are left out. */
  readonly untilMs?: number | undefined;
}

interface Place {
  readonly frame: Frame;
  readonly answer: ListAnswer;
  /** Depth of the rows of this document. */
  readonly depth: number;
  readonly level: number;
}

export function createFrameListing(): FrameListing {
  return { elements: [], gaps: [], frames: new Map(), isCut: false, leftOut: 0 };
}

/** Adds a document that has answered, and asks those in it. */
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

/** What is asked of every document of a listing. */
export function listOperation(world: TabWorld, request: ListRequest): ListOperation {
  const { withBoxes = false, isGlance = false } = request;
  const most = { firstRef: world.ranges.next(), maxElements: MAX_ELEMENTS };
  return { op: "list", ...most, ...(withBoxes && { withBoxes }), ...(isGlance && { isGlance }) };
}

export function askWhole(world: TabWorld, frame: Frame, scope: ElementScope): Promise<ListAnswer> {
  return world.ask<"list">(frame, listOperation(world, {}), scope);
}
