// The field where typing continues: the same one redrawn, or the next box of a code.

import type { ListedElement } from "../../../../core/browser.js";
import type { FoundElement } from "../../elements/tab-elements.js";
import type { Acting } from "./acting.js";

/** Longest box of a code. */
const MAX_BOX_CHARS = 4;
const NO_SIGN = /[^\p{L}\p{N}]+/gu;

export interface TypedField {
  readonly ref: string;
  readonly found: FoundElement;
  readonly listed: ListedElement | undefined;
}

export async function listFocused({ handle, time }: Acting): Promise<ListedElement | undefined> {
  const { elements } = await handle.elements.list({ selector: ":focus" }, time.part());
  return elements[0];
}

export async function findNext(
  acting: Acting,
  { field, typed }: { readonly field: TypedField; readonly typed: string },
): Promise<TypedField | undefined> {
  const { handle, time } = acting;
  const { found } = field;
  if (found.frame !== handle.page.mainFrame()) return undefined;
  const asks = { op: "state", ref: found.ref } as const;
  const state = await handle.elements.ask<"state">(found.frame, asks, time.part());
  const listed = await listFocused(acting);
  if (!listed?.ref || listed.ref === field.ref) return undefined;
  const isRebound = !state.isThere && isSameField({ before: field.listed, now: listed, typed });
  if (!isRebound && (!state.value || listed.value)) return undefined;
  const next = { ref: listed.ref, listed };
  const there = await handle.elements.find(next.ref, "type", time.part());
  const isNext =
    isRebound ||
    ((await isNextBox([found, there], state.value ?? "")) &&
      (await isAdjacent(acting, [found, there])));
  return isNext ? { ...next, found: there } : undefined;
}

async function isAdjacent(
  { handle, time }: Acting,
  [from, to]: readonly [FoundElement, FoundElement],
): Promise<boolean> {
  const asks = { op: "adjacent", ref: from.ref, nextRef: to.ref } as const;
  return (await handle.elements.ask<"adjacent">(from.frame, asks, time.part())).isAdjacent;
}

function isSameField(at: {
  readonly before: ListedElement | undefined;
  readonly now: ListedElement;
  readonly typed: string;
}): boolean {
  const { before, typed } = at;
  const { role, name, value = "" } = at.now;
  if (before?.role !== role || before.name !== name) return false;
  const isHidden = /^•+$/u.test(value);
  const held = isHidden ? value.length === typed.length : toSigns(value) === toSigns(typed);
  return held && value !== "";
}

function toSigns(text: string): string {
  return text.replace(NO_SIGN, "");
}

async function isNextBox(boxes: readonly FoundElement[], held: string): Promise<boolean> {
  const most = await Promise.all(boxes.map(({ locator }) => locator.getAttribute("maxlength")));
  const [first, second] = most.map(Number);
  return first === second && held.length === first && first <= MAX_BOX_CHARS;
}
