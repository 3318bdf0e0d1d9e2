// Boxes of interactive elements, and points of inner documents in page coordinates.

import { namedRow } from "../check.js";
import { rowNow } from "../duplicates/bind-rows.js";
import { elementAt, type Point } from "../hit.js";
import type { PageState } from "../page-state.js";
import { type Answers, type Asks, ROW_FLAGS } from "../protocol.js";
import { boxOf, isConnected, isDrawn, scrollToElement } from "../tree/clobbered.js";

export function boxes(state: PageState, { max }: Asks<"boxes">): Answers<"boxes"> {
  const found: [ref: number, x: number, y: number, w: number, h: number][] = [];
  let skipped = 0;
  for (const [element, { row }] of state.known) {
    if (!row || !(row[7] & ROW_FLAGS.interactive) || !isConnected(element)) continue;
    const { x, y, width, height } = boxOf(element);
    const isInSight =
      width > 0 &&
      height > 0 &&
      x < innerWidth &&
      y < innerHeight &&
      x + width > 0 &&
      y + height > 0;
    if (!isInSight || !isDrawn(element, { visibilityProperty: true })) continue;
    if (found.length < max) found.push([row[0], x, y, width, height]);
    else skipped += 1;
  }
  return { boxes: found, skipped };
}

export function offset(state: PageState, asks: Asks<"offset">): Answers<"offset"> {
  state.book.skipTo(asks.firstRef);
  const { element: frame, why } = state.book.lookUp(asks.ref);
  if (why || !(frame instanceof HTMLElement)) {
    return { isThere: false, why: why ?? "detached", x: 0, y: 0, nextRef: state.book.nextRef() };
  }
  // Acting in the frame may change the row around the iframe.
  state.reactions.begin({ element: frame, isTyped: false }).end();
  bringIntoView(frame, asks);
  const point = toOuterPoint(frame, asks);
  const top = elementAt(point);
  const by = top && top !== frame ? namedRow(top, rowNow(state, state.look(), top)) : undefined;
  return { isThere: true, ...point, ...(by && { by }), nextRef: state.book.nextRef() };
}

function bringIntoView(frame: HTMLElement, inner: Point): void {
  if (isInViewport(toOuterPoint(frame, inner))) return;
  scrollToElement(frame, { block: "nearest", inline: "nearest", behavior: "instant" });
  const { x, y } = toOuterPoint(frame, inner);
  if (isInViewport({ x, y })) return;
  scrollBy({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: "instant" });
}

function isInViewport({ x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}

function toOuterPoint(frame: HTMLElement, { x, y }: Point): Point {
  const box = boxOf(frame);
  const style = getComputedStyle(frame);
  const left = frame.clientLeft + Number.parseFloat(style.paddingLeft);
  const top = frame.clientTop + Number.parseFloat(style.paddingTop);
  const scaleX = frame.offsetWidth > 0 ? box.width / frame.offsetWidth : 1;
  const scaleY = frame.offsetHeight > 0 ? box.height / frame.offsetHeight : 1;
  return { x: box.x + (left + x) * scaleX, y: box.y + (top + y) * scaleY };
}
