// Typing and pressing keys: the element has the focus first, and no key goes to another one.

import type { FoundElement } from "../../elements/tab-elements.js";
import { changedUnderClick } from "../errors.js";
import { isTaken } from "../guard/page-guard.js";
import type { Acted, Acting } from "./acting.js";
import { fillText } from "./fill.js";

/** Between two letters, for pages that watch the keys. */
export const SLOW_KEY_MS = 20;
export interface TypeRequest {
  readonly ref: string;
  readonly text: string;
  readonly submit?: boolean | undefined;
  readonly slowly?: boolean | undefined;
}

/** Replaces what stands in the field; `slowly` presses each key. */
export async function type(acting: Acting, request: TypeRequest): Promise<Acted> {
  const { handle, time } = acting;
  const { keyboard } = handle.page;
  const found = await handle.elements.find(request.ref, "type", time.part());
  const { ref, text, submit } = request;
  if (!request.slowly) return fillText(acting, { ref, found, value: text, submits: submit });
  await withKeys(acting, { ref, found, clears: true }, async () => {
    await keyboard.type(text, { delay: SLOW_KEY_MS });
    if (submit) await keyboard.press("Enter");
  });
  return { frame: found.frame };
}

export interface PressRequest {
  readonly key: string;
  readonly ref?: string | undefined;
  readonly delayMs?: number | undefined;
}

export async function press(acting: Acting, request: PressRequest): Promise<Acted> {
  const { handle, guard, time } = acting;
  const delay = Math.min(request.delayMs ?? 0, time.leftMs());
  const send = () => handle.page.keyboard.press(request.key, { delay });
  if (request.ref === undefined) {
    await guard.greet(time);
    await time.call("the key to be taken by the page", send);
    return {};
  }
  const found = await handle.elements.find(request.ref, "look", time.part());
  await withKeys(acting, { ref: request.ref, found }, send);
  return { frame: found.frame };
}

interface KeyTarget {
  readonly ref: string;
  readonly found: FoundElement;
  readonly clears?: boolean;
}

/** Keys that go to this element alone. */
async function withKeys(
  { handle, guard, time }: Acting,
  { ref, found, clears }: KeyTarget,
  send: () => Promise<void>,
): Promise<void> {
  const { elements } = handle;
  if (clears) {
    await elements.ask<"put">(found.frame, { op: "put", ref: found.ref, value: "" }, time.part());
  }
  const focused = await elements.ask<"focus">(
    found.frame,
    { op: "focus", ref: found.ref },
    time.part(),
  );
  if (!focused.hasFocus) {
    // Throws when it is gone or another one by now.
    await elements.find(ref, "look", time.part());
    throw changedUnderClick(ref, "it does not take the focus");
  }
  const outcome = await guard.around({ found, input: "keyboard", time }, () =>
    time.call("the keys to be taken by the page", send),
  );
  if (outcome && isTaken(outcome)) return;
  if (outcome?.own.reached) {
    throw changedUnderClick(ref, "some keys went in, then the focus was elsewhere");
  }
  await elements.find(ref, "look", time.part());
  throw changedUnderClick(ref, "the focus was elsewhere, and no key was sent");
}
