// The listing of a tab: the whole page, or what is in a frame, below a selector, or below a ref.

import type { Frame } from "playwright-core";
import type { ListRequest, PageListing } from "../../../core/browser.js";
import type { ListAnswer } from "../inpage/protocol.js";
import { frameNotFound } from "./element-errors.js";
import { locateOwner, refuseStale, type TabScope } from "./find-element.js";
import {
  addDocument,
  createFrameListing,
  type FrameListing,
  listOperation,
} from "./list-frames.js";
import { isFrameRow } from "./listed-element.js";
import { parseRef } from "./ref-spelling.js";

/** `main` is CSS too, for an element that is not a frame. */
const MAIN = /^(?:_?top|main(?:[ _-]?(?:frame|document|page))?|self|page)$/i;
/** Of the time, for frames: a listing without some of them is better than none. */
const FRAMES_PART = 0.4;

interface Start {
  readonly frame: Frame;
  readonly answer: ListAnswer;
}

export async function listElements(request: ListRequest, options: TabScope): Promise<PageListing> {
  const { world, memory, scope } = options;
  await world.listeners.mark();
  const start = await askStart(request, options);
  const listing: FrameListing = createFrameListing();
  const untilMs = performance.now() + scope.timeoutMs * FRAMES_PART;
  await addDocument(world, { ...start, depth: 0, level: 0 }, { listing, request, scope, untilMs });
  if (listing.leftOut > 0) listing.gaps.push(tellLeftOut(listing.leftOut));
  const mainFrame = world.page.mainFrame();
  const isWhole = !request.ref && !request.selector && start.frame === mainFrame;
  memory.noteListing(listing, { mainFrame, isWhole });
  const { elements, gaps, isCut } = listing;
  return { documentId: start.answer.documentId, elements, gaps, isCut };
}

function tellLeftOut(count: number): string {
  const which = count === 1 ? "One iframe was" : `${count} iframes were`;
  return `${which} left out, because there are too many or they took too long; list one with frame.`;
}

async function askStart(request: ListRequest, options: TabScope): Promise<Start> {
  const { world, scope } = options;
  if (request.ref !== undefined) return askByRef({ ...request, ref: request.ref }, options);
  const main = world.page.mainFrame();
  const frame = request.frame === undefined ? main : await findFrame(request.frame, options);
  const { selector } = request;
  const whole = listOperation(world, request);
  const asks = selector === undefined ? whole : { ...whole, selector };
  return { frame, answer: await world.ask<"list">(frame, asks, scope) };
}

async function askByRef(
  request: ListRequest & { readonly ref: string },
  options: TabScope,
): Promise<Start> {
  const { world, scope } = options;
  const { ref: text } = request;
  const { ref, frame } = await locateOwner(text, options);
  const asks = { ...listOperation(world, request), ref };
  const answer = await world.ask<"list">(frame, asks, scope);
  if (!answer.why) return { frame, answer };
  const why = answer.why === "unknown" ? "other_document" : answer.why;
  return refuseStale({ text, why }, options);
}

/** By the ref of its iframe, or by its CSS; some words mean the document around all of them. */
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
