// A click on the element that a ref names, or on nothing: looked at first, guarded while it happens.

import type { FoundElement } from "../../elements/tab-elements.js";
import type { Purpose } from "../../inpage/protocol.js";
import { changedUnderClick } from "../errors.js";
import type { GuardOutcome } from "../guard/page-guard.js";
import { inAnyCase } from "../work/in-any-case.js";
import { pause } from "../work/pause.js";
import type { Acted, Acting } from "./acting.js";

/** The page moved the element away from under the pointer, and nothing was reached: again. */
const MAX_TRIES = 4;
const RETRY_MS = 15;
/** Nobody saw it: somebody else keeps this document from input for a moment. */
const UNSEEN_RETRY_MS = 350;
const CLICKED = ["click", "auxclick", "contextmenu", "dblclick"];
/** A list that opens takes the release for itself. */
const OPENS_LIST = "select";

export interface ClickRequest {
  readonly ref: string;
  readonly purpose?: Purpose | undefined;
  readonly doubleClick?: boolean | undefined;
  readonly button?: "left" | "right" | "middle" | undefined;
  readonly modifiers?: readonly string[] | undefined;
  readonly delayMs?: number | undefined;
}

export async function click(acting: Acting, request: ClickRequest): Promise<Acted> {
  const { handle, guard, time } = acting;
  let retryMs = RETRY_MS;
  let why = "it moved away from under the pointer";
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (tries > 0) await pause({ clock: handle.clock, ms: retryMs, signal: time.signal });
    const found = await handle.elements.find(request.ref, request.purpose ?? "click", time.part());
    const outcome = await guard.around({ found, input: "pointer", time }, () =>
      pressAt(acting, found, request),
    );
    if (!outcome) continue;
    if (isReached(outcome, found)) {
      tellRest(acting, outcome, request);
      return { frame: found.frame, opensTab: outcome.own.opensTab };
    }
    if (outcome.own.reached > 0) {
      throw changedUnderClick(request.ref, "it was pressed, and was another one at the release");
    }
    why = describeMiss(outcome);
    retryMs = outcome.own.stopped + outcome.strayed > 0 ? RETRY_MS : UNSEEN_RETRY_MS;
  }
  throw changedUnderClick(request.ref, why);
}

export async function clickAt(
  acting: Acting,
  request: Omit<ClickRequest, "ref" | "purpose"> & { readonly x: number; readonly y: number },
): Promise<Acted> {
  await acting.guard.greet(acting.time);
  await pressAt(acting, request, request);
  return {};
}

async function pressAt(
  { handle, time }: Acting,
  point: { readonly x: number; readonly y: number },
  request: Omit<ClickRequest, "ref">,
): Promise<void> {
  const { mouse, keyboard } = handle.page;
  const keys = request.modifiers ?? [];
  const press = () =>
    mouse.click(point.x, point.y, {
      button: request.button ?? "left",
      clickCount: request.doubleClick ? 2 : 1,
      ...(request.delayMs && { delay: Math.min(request.delayMs, time.leftMs()) }),
    });
  try {
    for (const key of keys) await time.call("a key to go down", () => keyboard.down(key));
    await time.call("the click to be taken by the page", press);
  } finally {
    for (const key of keys) await inAnyCase("a key to go up", () => keyboard.up(key));
  }
}

/** The click came through; or the press did, and what was pressed is gone, so nothing else follows. */
function isReached({ own }: GuardOutcome, found: FoundElement): boolean {
  // The document is another one: the click opened it, or it came before and was not clicked.
  if (!own.wasArmed) return own.stopped === 0;
  if (own.events.some((event) => CLICKED.includes(event))) return true;
  if (own.reached === 0) return false;
  return own.stopped === 0 || own.why === "detached" || found.tag === OPENS_LIST;
}

function tellRest(acting: Acting, { own }: GuardOutcome, request: ClickRequest): void {
  const { ref, doubleClick } = request;
  if (!own.wasArmed) return;
  if (own.events.some((event) => CLICKED.includes(event))) {
    if (doubleClick && own.stopped > 0) {
      acting.tell(`${ref} was another one after the first click; the second was held back.`);
    }
    return;
  }
  acting.tell(
    own.stopped > 0
      ? `${ref} went away when it was pressed, before the release; no click followed.`
      : `${ref} was pressed, but no click came of it.`,
  );
}

function describeMiss({ own, strayed }: GuardOutcome): string {
  if (strayed > 0) return "another frame lies over it";
  if (own.why === "changed") return "it became another one";
  if (own.why === "detached") return "it went away";
  return own.stopped > 0 ? "it moved away from under the pointer" : "the click did not arrive";
}
