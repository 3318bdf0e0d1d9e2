// A click on the element of a ref or on a point: checked before, guarded meanwhile.

import { ToolInputError } from "../../../../core/index.js";
import { wrongKind } from "../../elements/element-errors.js";
import type { FoundElement } from "../../elements/tab-elements.js";
import type { Purpose } from "../../inpage/protocol.js";
import { pause, tryBriefly } from "../../session/within.js";
import { changedUnderClick } from "../errors.js";
import { describeLate, type GuardOutcome } from "../page-guard.js";
import { type Acted, type Acting, type ActOf, releaseButton } from "./acting.js";

const MAX_TRIES = 4;
const RETRY_MS = 15;
const MOVE_STEPS = 5;
/** Chromium ignores input on a new document for a moment. */
const UNSEEN_RETRY_MS = 350;
const TAB_KEYS: readonly string[] = ["Control", "ControlOrMeta", "Meta", "Shift"];
const CLICKED = ["click", "auxclick", "contextmenu", "dblclick"];
const FRAMES: readonly string[] = ["iframe", "frame"];
const OPENS_LIST = "select";
const WENT_AWAY = "went away";
/** An element may react to the press alone, such as a menu that opens over it. */
const AFTER_PRESS: ReadonlyMap<GuardOutcome["own"]["why"], string> = new Map([
  ["detached", WENT_AWAY],
  ["missed", "was no longer under the pointer"],
]);

interface ClickRequest extends ActOf<"click"> {
  readonly purpose?: Purpose | undefined;
}

export async function click(acting: Acting, request: ClickRequest): Promise<Acted> {
  const { handle, guard, time } = acting;
  let retryMs = RETRY_MS;
  let why = "it moved away from under the pointer";
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (tries > 0) await pause({ clock: handle.clock, ms: retryMs, signal: time.signal });
    const { ref, purpose = "click" } = request;
    const found = await guard.find(ref, { purpose, input: "pointer", time });
    if (FRAMES.includes(found.tag)) {
      await guard.disarm();
      throw wrongKind(request.ref, "it is a frame, act on what is in it, or use clickCoords");
    }
    const outcome = await guard.around({ found, input: "pointer", time }, () =>
      pressAt(acting, found, request),
    );
    if (!outcome) continue;
    if (isReached(outcome, found)) {
      tellRest(acting, outcome, request);
      if (found.tag === OPENS_LIST && purpose === "click") {
        acting.tell(
          `${ref} is a select, and its list is not part of the page: choose with kind select and values, what its options are called.`,
        );
      }
      const opensTab = outcome.own.opensTab || (found.tag === "a" && opensTabs(request));
      return { frame: found.frame, opensTab };
    }
    if (outcome.own.reached > 0) {
      throw changedUnderClick(request.ref, "it was pressed, and was another one at the release");
    }
    why = describeMiss(outcome);
    const isSeen = outcome.own.stopped + outcome.strayed > 0;
    // If the first click may have arrived, a second one is too many.
    if (!isSeen && !outcome.own.isYoung) break;
    retryMs = isSeen ? RETRY_MS : UNSEEN_RETRY_MS;
  }
  throw changedUnderClick(request.ref, why);
}

export function opensTabs({ button, modifiers = [] }: Omit<ClickRequest, "ref">): boolean {
  return button === "middle" || modifiers.some((key) => TAB_KEYS.includes(key));
}

export async function clickAt(
  acting: Acting,
  request: Omit<ClickRequest, "ref" | "purpose"> & { readonly x: number; readonly y: number },
): Promise<Acted> {
  assertInWindow(acting.handle.page.viewportSize(), request);
  await acting.guard.greet(acting.time);
  await pressAt(acting, request, request);
  return {};
}

function assertInWindow(
  size: { readonly width: number; readonly height: number } | null,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  if (size === null || (x >= 0 && y >= 0 && x < size.width && y < size.height)) return;
  throw new ToolInputError(
    `${x}, ${y} is outside the window, which is ${size.width} x ${size.height} pixels; scroll there first, or resize.`,
    { reason: "arguments_invalid", details: { parameter: "x, y" } },
  );
}

async function pressAt(
  acting: Acting,
  point: { readonly x: number; readonly y: number },
  request: Omit<ClickRequest, "ref">,
): Promise<void> {
  const { handle, time } = acting;
  const { mouse, keyboard } = handle.page;
  const { button = "left", doubleClick, modifiers = [], delayMs } = request;
  const clickCount = doubleClick ? 2 : 1;
  try {
    for (const key of modifiers) await time.step("a key to go down", () => keyboard.down(key));
    const move = () => mouse.move(point.x, point.y, { steps: MOVE_STEPS });
    await time.step("the pointer to be moved", move);
    if (delayMs) await holdAt(acting, { button, clickCount, delayMs });
    else {
      const press = () => mouse.click(point.x, point.y, { button, clickCount });
      await time.step("the click to be taken by the page", press);
    }
  } finally {
    for (const key of modifiers) await tryBriefly(() => keyboard.up(key));
  }
}

interface Hold {
  readonly button: "left" | "right" | "middle";
  readonly clickCount: number;
  readonly delayMs: number;
}

/** In single steps, so that an aborted press is not released on another element. */
async function holdAt(acting: Acting, hold: Hold): Promise<void> {
  const { handle, time } = acting;
  const { button, delayMs } = hold;
  const { mouse } = handle.page;
  for (let clickCount = 1; clickCount <= hold.clickCount; clickCount += 1) {
    let isDown = true;
    try {
      const down = () => mouse.down({ button, clickCount });
      await time.step("the press to be taken by the page", down);
      await pause({ clock: handle.clock, ms: delayMs, signal: time.signal });
      isDown = false;
      await time.step("the release to be taken by the page", () =>
        mouse.up({ button, clickCount }),
      );
    } finally {
      if (isDown) await releaseButton(acting, button);
    }
  }
}

/** The click arrived, or the press did and removed or covered the element. */
function isReached({ own }: GuardOutcome, found: FoundElement): boolean {
  // The click opened another document, or the document came before.
  if (!own.wasArmed) return own.stopped === 0;
  if (own.events.some((event) => CLICKED.includes(event))) return true;
  if (own.reached === 0) return false;
  return own.stopped === 0 || AFTER_PRESS.has(own.why) || found.tag === OPENS_LIST;
}

function tellRest(acting: Acting, outcome: GuardOutcome, request: ClickRequest): void {
  const { own } = outcome;
  const { ref, doubleClick } = request;
  if (!own.wasArmed) return;
  if (own.events.some((event) => CLICKED.includes(event))) {
    const late =
      doubleClick && own.stopped > 0
        ? `${ref} was another one after the first click; the second was held back.`
        : describeLate(ref, outcome);
    if (late) acting.tell(late);
    return;
  }
  acting.tell(
    own.stopped > 0
      ? `${ref} ${AFTER_PRESS.get(own.why) ?? WENT_AWAY} when it was pressed, before the release; no click followed.`
      : `${ref} was pressed, but no click came of it.`,
  );
}

function describeMiss({ own, strayed }: GuardOutcome): string {
  if (strayed > 0) return "another frame covers it";
  if (own.why === "changed") return "it became another one";
  if (own.why === "detached") return "it went away";
  if (own.stopped > 0) return "it moved away from under the pointer";
  return own.isYoung ? "the click did not arrive" : "it is unknown whether the click arrived";
}
