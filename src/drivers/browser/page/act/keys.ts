// Typing and pressing keys: the element has the focus first, and no key goes to another one.

import type { FoundElement } from "../../elements/tab-elements.js";
import { changedUnderClick } from "../errors.js";
import { describeLate, describeLoss, describeNothing, isTaken } from "../guard/page-guard.js";
import { pause } from "../work/pause.js";
import type { Acted, Acting } from "./acting.js";
import { fillText, isTypedByKeys } from "./fill.js";
import { letGoOfKeys } from "./let-go.js";

/** Between two letters, for pages that watch the keys. */
export const SLOW_KEY_MS = 20;
const KEYS_TAKEN = "the keys to be taken by the page";

export interface TypeRequest {
  readonly ref: string;
  readonly text: string;
  readonly submit?: boolean | undefined;
  readonly slowly?: boolean | undefined;
}

/** Replaces what stands in the field; `slowly` presses each key. */
export async function type(acting: Acting, request: TypeRequest): Promise<Acted> {
  const { handle, time } = acting;
  const found = await handle.elements.find(request.ref, "type", time.part());
  const { ref, text, submit } = request;
  if (!request.slowly || text === "" || !isTypedByKeys(found)) {
    return fillText(acting, { ref, found, value: text, submits: submit });
  }
  await withKeys(acting, { ref, found, clears: true }, () => typeSlowly(acting, request));
  return { frame: found.frame };
}

/** Each letter is a step, so that none comes after the end of the call. */
async function typeSlowly({ handle, time }: Acting, request: TypeRequest): Promise<void> {
  const { keyboard } = handle.page;
  for (const letter of request.text) {
    await time.step(KEYS_TAKEN, () => keyboard.type(letter));
    await pause({ clock: handle.clock, ms: SLOW_KEY_MS, signal: time.signal });
  }
  if (request.submit) await time.step(KEYS_TAKEN, () => keyboard.press("Enter"));
}

export interface PressRequest {
  readonly key: string;
  readonly ref?: string | undefined;
  readonly delayMs?: number | undefined;
}

export async function press(acting: Acting, request: PressRequest): Promise<Acted> {
  const { handle, guard, time } = acting;
  const { key, delayMs } = request;
  const send = () =>
    delayMs
      ? holdKeys(acting, { keys: splitKeys(key), delayMs })
      : time.step(KEYS_TAKEN, () => handle.page.keyboard.press(key));
  if (request.ref === undefined) {
    await guard.greet(time);
    await send();
    return {};
  }
  const found = await handle.elements.find(request.ref, "look", time.part());
  await withKeys(acting, { ref: request.ref, found }, send);
  return { frame: found.frame };
}

/** `Control+a` are two keys, `Control++` too. */
function splitKeys(key: string): readonly string[] {
  const keys: string[] = [];
  let last = "";
  for (const letter of key) {
    if (letter !== "+" || last === "") last += letter;
    else {
      keys.push(last);
      last = "";
    }
  }
  return [...keys, last];
}

async function holdKeys(
  acting: Acting,
  { keys, delayMs }: { readonly keys: readonly string[]; readonly delayMs: number },
): Promise<void> {
  const { handle, time } = acting;
  const { keyboard } = handle.page;
  const down: string[] = [];
  try {
    for (const key of keys) {
      down.push(key);
      await time.step(KEYS_TAKEN, () => keyboard.down(key));
    }
    await pause({ clock: handle.clock, ms: delayMs, signal: time.signal });
    for (const key of keys.toReversed()) {
      down.pop();
      await time.step(KEYS_TAKEN, () => keyboard.up(key));
    }
  } finally {
    if (down.length > 0) await letGoOfKeys(acting, down);
  }
}

interface KeyTarget {
  readonly ref: string;
  readonly found: FoundElement;
  readonly clears?: boolean;
}

/** Keys that go to this element alone. */
async function withKeys(
  { handle, guard, time, tell }: Acting,
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
  const outcome = await guard.around({ found, input: "keyboard", time }, send);
  if (outcome && isTaken(outcome)) {
    const late = describeLate(ref, outcome);
    if (late) tell(late);
    return;
  }
  if (outcome?.own.reached) {
    throw changedUnderClick(ref, `some keys went in, then ${describeLoss(outcome)}`);
  }
  await elements.find(ref, "look", time.part());
  throw changedUnderClick(ref, describeNothing(outcome, "no key was sent"));
}
