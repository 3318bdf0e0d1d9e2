// The pointer without a click: hovering, scrolling to, dragging from one element to another.

import type { FoundElement } from "../../elements/tab-elements.js";
import { changedUnderClick } from "../errors.js";
import { inAnyCase } from "../work/in-any-case.js";
import type { Acted, Acting } from "./acting.js";

/** Pages that drag by pointer want to see it move. */
const DRAG_STEPS = 8;
/** Far enough for every threshold at which a drag begins. */
const DRAG_START_PX = 12;

export async function hover({ handle, time }: Acting, { ref }: { ref: string }): Promise<Acted> {
  const found = await handle.elements.find(ref, "hover", time.part());
  await time.call("the pointer to be moved", () => handle.page.mouse.move(found.x, found.y));
  return { frame: found.frame };
}

export async function scrollIntoView(
  { handle, time }: Acting,
  { ref }: { ref: string },
): Promise<Acted> {
  const found = await handle.elements.find(ref, "scroll", time.part());
  return { frame: found.frame };
}

export interface DragRequest {
  readonly startRef: string;
  readonly endRef: string;
}

export async function drag(acting: Acting, request: DragRequest): Promise<Acted> {
  const { handle, guard, time } = acting;
  const { elements } = handle;
  // The end first: looking at the start scrolls to it, and the press happens there.
  await elements.find(request.endRef, "look", time.part());
  const start = await elements.find(request.startRef, "drag", time.part());
  const end = await elements.find(request.endRef, "look", time.part());
  const outcome = await guard.around({ found: start, end, input: "drag", time }, () =>
    moveOver(acting, { start, request }),
  );
  if (!outcome) {
    await elements.find(request.startRef, "drag", time.part());
    throw changedUnderClick(request.startRef, "it became another one, and nothing was dragged");
  }
  if (outcome.own.stopped + outcome.strayed > 0) {
    const ref = outcome.own.reached > 0 ? request.endRef : request.startRef;
    throw changedUnderClick(ref, "it was not where the pointer was");
  }
  return { frame: start.frame };
}

/** Where the start is may have moved when the end was scrolled to, so both are looked at on the way. */
async function moveOver(
  { handle, time }: Acting,
  { start, request }: { readonly start: FoundElement; readonly request: DragRequest },
): Promise<void> {
  const { mouse } = handle.page;
  const move = (x: number, y: number) =>
    time.call("the pointer to be moved", () => mouse.move(x, y, { steps: DRAG_STEPS }));
  const from = await handle.elements.find(request.startRef, "drag", time.part());
  await move(from.x, from.y);
  await time.call("the press to be taken by the page", () => mouse.down());
  let isDown = true;
  try {
    await move(from.x + DRAG_START_PX, from.y + DRAG_START_PX);
    // Pages open a place for what is dragged: where the end is now counts.
    const end = await handle.elements.find(request.endRef, "look", time.part());
    await move(end.x, end.y);
    await move(end.x, end.y);
    isDown = false;
    await time.call("the release to be taken by the page", () => mouse.up());
  } finally {
    // Back where it came from, so that the drag is none.
    if (isDown) {
      await inAnyCase("the pointer to go back", () => mouse.move(start.x, start.y));
      await inAnyCase("the release", () => mouse.up());
    }
  }
}
