// The pointer without a click: hovering, scrolling to, dragging from one element to another.

import { tryBriefly } from "../../session/within.js";
import { changedUnderClick } from "../errors.js";
import type { Acted, Acting, ActOf } from "./acting.js";
import { RELEASE } from "./cut-short.js";

/** Pages that drag by pointer want to see it move. */
const DRAG_STEPS = 8;
/** Far enough for every threshold at which a drag begins. */
const DRAG_START_PX = 12;

/** An end that moves so little is where it was. */
const STILL_PX = 3;
const MAX_FOLLOWS = 4;

export async function hover(acting: Acting, { ref }: { ref: string }): Promise<Acted> {
  const { handle, guard, time } = acting;
  const found = await guard.find(ref, { purpose: "hover", input: "hover", time });
  const outcome = await guard.around({ found, input: "hover", time }, () =>
    time.step("the pointer to be moved", () =>
      handle.page.mouse.move(found.x, found.y, { steps: DRAG_STEPS }),
    ),
  );
  if (outcome && outcome.own.why !== "changed") return { frame: found.frame };
  throw changedUnderClick(
    ref,
    outcome
      ? "it became another one when the pointer came"
      : "it became another one before the pointer came",
  );
}

export async function scrollIntoView(
  { handle, time }: Acting,
  { ref }: { ref: string },
): Promise<Acted> {
  const found = await handle.elements.find(ref, "scroll", time.part());
  return { frame: found.frame };
}

export async function drag(acting: Acting, request: ActOf<"drag">): Promise<Acted> {
  const { handle, guard, time } = acting;
  const { elements } = handle;
  // The end first: looking at the start scrolls to it, and the press happens there.
  await elements.find(request.endRef, "look", time.part());
  const start = await elements.find(request.startRef, "drag", time.part());
  const end = await elements.find(request.endRef, "look", time.part());
  const outcome = await guard.around({ found: start, end, input: "drag", time }, () =>
    moveOver(acting, request),
  );
  if (!outcome) {
    await elements.find(request.startRef, "drag", time.part());
    throw changedUnderClick(request.startRef, "it became another one, and nothing was dragged");
  }
  if (outcome.own.why === "exchanged") {
    throw changedUnderClick(
      request.startRef,
      "another one came in its place while it was dragged, so it was not dropped",
    );
  }
  if (outcome.own.stopped + outcome.strayed > 0) {
    const ref = outcome.own.reached > 0 ? request.endRef : request.startRef;
    throw changedUnderClick(ref, "it was not where the pointer was");
  }
  return { frame: start.frame };
}

/** Where the start is may have moved when the end was scrolled to, so both are looked at on the way. */
async function moveOver(acting: Acting, request: ActOf<"drag">): Promise<void> {
  const { handle, time } = acting;
  const { mouse } = handle.page;
  const move = (x: number, y: number) =>
    time.step("the pointer to be moved", () => mouse.move(x, y, { steps: DRAG_STEPS }));
  const from = await handle.elements.find(request.startRef, "drag", time.part());
  await move(from.x, from.y);
  let isDown = true;
  try {
    await time.step("the press to be taken by the page", () => mouse.down());
    await move(from.x + DRAG_START_PX, from.y + DRAG_START_PX);
    await moveTo(acting, request.endRef, move);
    isDown = false;
    await time.step(RELEASE, () => mouse.up());
  } finally {
    // Back where it came from, so that the drag is none.
    if (isDown) {
      await tryBriefly(() => mouse.move(from.x, from.y));
      await tryBriefly(() => mouse.up());
    }
  }
}

/** Pages open a place for what is dragged, and move others away: where the end is now counts. */
async function moveTo(
  { handle, time }: Acting,
  ref: string,
  move: (x: number, y: number) => Promise<void>,
): Promise<void> {
  const find = () => handle.elements.find(ref, "drop", time.part());
  let end = await handle.elements.find(ref, "aim", time.part());
  for (let tries = 0; tries < MAX_FOLLOWS; tries += 1) {
    await move(end.x, end.y);
    await move(end.x, end.y);
    const now = await find();
    if (Math.hypot(now.x - end.x, now.y - end.y) < STILL_PX) return;
    end = now;
  }
  throw changedUnderClick(ref, "it moves away from under the pointer");
}
