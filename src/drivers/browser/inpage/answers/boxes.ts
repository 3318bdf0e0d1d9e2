// Where things are: the boxes of what can be acted on, and points of inner documents.

import { elementAt } from "../hit.js";
import { createLook } from "../look.js";
import type { PageState } from "../page-state.js";
import type { BoxesAnswer, BoxesOperation, OffsetAnswer, OffsetOperation } from "../protocol.js";
import { rowNow } from "../refs/row-now.js";
import { FLAG_INTERACTIVE } from "../row/make-row.js";

/** Of what was listed. */
export function boxes(state: PageState, { max }: BoxesOperation): BoxesAnswer {
  const found: [ref: number, x: number, y: number, w: number, h: number][] = [];
  let skipped = 0;
  for (const [element, { row }] of state.known) {
    if (!row || !(row[7] & FLAG_INTERACTIVE) || !element.isConnected) continue;
    const { x, y, width, height } = element.getBoundingClientRect();
    const isInSight =
      width > 0 &&
      height > 0 &&
      x < innerWidth &&
      y < innerHeight &&
      x + width > 0 &&
      y + height > 0;
    if (!isInSight || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (found.length < max) found.push([row[0], x, y, width, height]);
    else skipped += 1;
  }
  return { boxes: found, skipped };
}

export function offset(state: PageState, asks: OffsetOperation): OffsetAnswer {
  state.book.skipTo(asks.firstRef);
  const frame = state.book.recordOf(asks.ref)?.node.deref();
  if (!(frame instanceof HTMLElement) || !frame.isConnected) {
    return { isThere: false, x: 0, y: 0, nextRef: state.book.nextRef() };
  }
  bringIntoView(frame, asks);
  const point = toOuterPoint(frame, asks);
  const top = elementAt(point);
  const by = top && top !== frame ? rowNow(state, createLook(), top) : undefined;
  return { isThere: true, ...point, ...(by && { by }), nextRef: state.book.nextRef() };
}

/** The inner document has been scrolled; the iframe itself may still be out of sight. */
function bringIntoView(
  frame: HTMLElement,
  inner: { readonly x: number; readonly y: number },
): void {
  if (isInViewport(toOuterPoint(frame, inner))) return;
  frame.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { x, y } = toOuterPoint(frame, inner);
  if (isInViewport({ x, y })) return;
  scrollBy({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: "instant" });
}

function isInViewport({ x, y }: { readonly x: number; readonly y: number }): boolean {
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}

/** Borders and padding lie between the box of an iframe and its document; a transform scales both. */
function toOuterPoint(
  frame: HTMLElement,
  { x, y }: { readonly x: number; readonly y: number },
): { readonly x: number; readonly y: number } {
  const box = frame.getBoundingClientRect();
  const style = getComputedStyle(frame);
  const scaleX = frame.offsetWidth > 0 ? box.width / frame.offsetWidth : 1;
  const scaleY = frame.offsetHeight > 0 ? box.height / frame.offsetHeight : 1;
  const left = frame.clientLeft + Number.parseFloat(style.paddingLeft);
  const top = frame.clientTop + Number.parseFloat(style.paddingTop);
  return { x: box.x + (left + x) * scaleX, y: box.y + (top + y) * scaleY };
}
