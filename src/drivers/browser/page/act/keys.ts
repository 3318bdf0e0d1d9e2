// Types and presses keys: the element gets the focus first, and no key goes to another one.

import type { ListedElement } from "../../../../core/browser.js";
import type { FoundElement } from "../../elements/tab-elements.js";
import type { PutOperation } from "../../inpage/protocol.js";
import { pause } from "../../session/within.js";
import { changedUnderClick } from "../errors.js";
import {
  type Acted,
  type Acting,
  type ActOf,
  type KeyTarget,
  releaseKeys,
  sendGuarded,
} from "./acting.js";
import { fillText, isTypedByKeys, readState } from "./fill.js";

export const SLOW_KEY_MS = 20;
const ENTER = "Enter";
/** Longest box of a code. */
const MAX_BOX_CHARS = 4;
const NO_SIGN = /[^\p{L}\p{N}]+/gu;
const KEYS_TAKEN = "the keys to be taken by the page";

/** Replaces or extends the value; `slowly` presses each key. */
export async function type(acting: Acting, request: ActOf<"type">): Promise<Acted> {
  const { handle, time } = acting;
  const found = await handle.elements.find(request.ref, "type", time.part());
  const { ref, text, submit, append: appends } = request;
  if (!request.slowly || text === "" || !isTypedByKeys(found)) {
    const field = { ref, found, listed: undefined };
    const goOn = (held: string) => typeRest(acting, { field, text, held });
    const typed = { ref, found, value: text, submits: submit };
    return fillText(acting, { ...typed, ...(appends ? { appends } : { goOn }) });
  }
  await takeFocus(acting, { ref, found, puts: { appends } });
  const listed = found.frame === handle.page.mainFrame() ? await listFocused(acting) : undefined;
  const keys = [...text, ...(submit ? [ENTER] : [])];
  await typeKeys(acting, { field: { ref, found, listed }, keys, sent: 0 });
  return { frame: found.frame };
}

/** Types the rest into the next box, if the page moved the focus there. */
async function typeRest(
  acting: Acting,
  at: { readonly field: TypedField; readonly text: string; readonly held: string },
): Promise<boolean> {
  const { field, text, held } = at;
  const next = await findNext(acting, { field, typed: held });
  if (!next) return false;
  const sent = [...held].length;
  await typeKeys(acting, { field: next, keys: [...text], sent, before: [field.ref] });
  return true;
}

interface Typing {
  readonly field: TypedField;
  readonly keys: readonly string[];
  readonly sent: number;
  readonly before?: readonly string[];
}

/** Continues in the redrawn field or in the next box of a code. */
async function typeKeys(acting: Acting, typing: Typing): Promise<void> {
  const { keys, before = [] } = typing;
  const fields = [...before, typing.field.ref];
  let { field, sent } = typing;
  for (;;) {
    await withKeys(acting, field, async () => {
      sent = await sendKeys(acting, { field, keys, sent });
    });
    if (sent === keys.length) break;
    const next = await findNext(acting, { field, typed: keys.slice(0, sent).join("") });
    if (!next) {
      const went = `${sent} of ${keys.length} keys went in`;
      throw changedUnderClick(field.ref, `${went}, then the focus was elsewhere`);
    }
    if (!next.listed?.value) fields.push(next.ref);
    field = next;
  }
  if (fields.length > 1) await tellFields(acting, { field, fields, last: keys.at(-1) });
}

async function tellFields(
  acting: Acting,
  at: {
    readonly field: TypedField;
    readonly fields: readonly string[];
    readonly last?: string | undefined;
  },
): Promise<void> {
  const { field, fields, last = "" } = at;
  const { ref, found } = field;
  const { tell } = acting;
  tell(`The page moved the focus on while it was typed: ${fields.join(", ")} took the text.`);
  const state = await readState(acting, found);
  const isCut = state?.value && last !== ENTER && !state.value.endsWith(last);
  if (isCut) tell(`${ref} was full before the end of the text.`);
}

/** Each key is a step, so that none comes late. Returns how many arrived. */
async function sendKeys({ handle, time }: Acting, { field, keys, sent }: Typing): Promise<number> {
  const { keyboard } = handle.page;
  const { found } = field;
  const asks = { op: "state", ref: found.ref } as const;
  for (let at = sent; at < keys.length; at += 1) {
    const key = keys[at] ?? "";
    await time.step(KEYS_TAKEN, () => (key === ENTER ? keyboard.press(key) : keyboard.type(key)));
    if (at + 1 === keys.length) break;
    await pause({ clock: handle.clock, ms: SLOW_KEY_MS, signal: time.signal });
    const { isThere, hasFocus } = await handle.elements.ask<"state">(
      found.frame,
      asks,
      time.part(),
    );
    if (!isThere || !hasFocus) return at + 1;
  }
  return keys.length;
}

export async function press(acting: Acting, request: ActOf<"press">): Promise<Acted> {
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

/** `Control++` is two keys. */
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
    if (down.length > 0) await releaseKeys(acting, down);
  }
}

interface FocusTarget extends KeyTarget {
  readonly puts?: Pick<PutOperation, "appends">;
}

async function takeFocus(
  { handle, time }: Acting,
  { ref, found, puts }: FocusTarget,
): Promise<void> {
  const { elements } = handle;
  if (puts) {
    const asks = { op: "put", ref: found.ref, value: "", ...puts } as const;
    await time.call("the field to be emptied", () =>
      elements.ask<"put">(found.frame, asks, time.part()),
    );
  }
  const focused = await elements.ask<"focus">(
    found.frame,
    { op: "focus", ref: found.ref },
    time.part(),
  );
  if (!focused.hasFocus) {
    // Throws if it is gone or changed.
    await elements.find(ref, "look", time.part());
    throw changedUnderClick(ref, "it does not take the focus");
  }
}

async function withKeys(
  acting: Acting,
  { ref, found }: KeyTarget,
  send: () => Promise<void>,
): Promise<void> {
  await takeFocus(acting, { ref, found });
  await sendGuarded(acting, { ref, found }, send);
}

interface TypedField {
  readonly ref: string;
  readonly found: FoundElement;
  readonly listed: ListedElement | undefined;
}

async function listFocused({ handle, time }: Acting): Promise<ListedElement | undefined> {
  const { elements } = await handle.elements.list({ selector: ":focus" }, time.part());
  return elements[0];
}

async function findNext(
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
