// Sets fields of every kind, then compares their values.
import type { PageAction } from "../../../../core/browser.js";
import { isToolError, ToolError } from "../../../../core/index.js";
import { disabled, wrongKind } from "../../elements/element-errors.js";
import type { FoundElement } from "../../elements/tab-elements.js";
import type { Answers, PutAnswer } from "../../inpage/protocol.js";
import { changedUnderClick, optionAmbiguous, optionNotFound, shown } from "../errors.js";
import { type Acted, type Acting, type KeyTarget, sendGuarded } from "./acting.js";
import { click } from "./click.js";

const CHECKED = ["true", "1", "on", "yes", "checked"];
const SELECT = "select";
const PLAIN_FIELDS = ["input", "textarea"];
/** Set directly: typing into them depends on the language of the browser. */
const SET_TYPES = ["date", "time", "month", "week", "datetime-local", "color", "range"];
const UNCHECKED = ["false", "0", "off", "no", "unchecked", ""];

type FillField = Extract<PageAction, { kind: "fill" }>["fields"][number];

export async function fill(
  acting: Acting,
  { fields }: { readonly fields: readonly FillField[] },
): Promise<Acted> {
  let acted: Acted = {};
  const filled: string[] = [];
  for (const field of fields) {
    acted = await fillField(acting, field).catch((error: unknown) => {
      throw withFilled(error, filled);
    });
    filled.push(field.ref);
  }
  return acted;
}

function withFilled(error: unknown, filled: readonly string[]): unknown {
  if (!isToolError(error) || filled.length === 0) return error;
  const { code, message, reason, details, cause } = error;
  return new ToolError(code, message, { reason, cause, details: { ...details, filled } });
}

async function fillField(acting: Acting, field: FillField): Promise<Acted> {
  const { handle, time } = acting;
  const { ref } = field;
  const found = await handle.elements.find(ref, "look", time.part());
  if (found.type === "file") throw wrongKind(ref, "it takes files, use action upload");
  const isFlag = typeof field.value === "boolean";
  return fillText(acting, { ref, found, isFlag, ...readValue(field, found) });
}

function readValue({ ref, value }: FillField, { tag }: FoundElement) {
  if (typeof value !== "object") return { value: String(value) };
  const [only = ""] = value;
  if (tag === SELECT) return { value: only, values: value };
  if (value.length === 1) return { value: only };
  throw wrongKind(ref, "it takes one value, a list is for a select");
}

interface FillRequest {
  readonly ref: string;
  readonly found: FoundElement;
  readonly value: string;
  readonly values?: readonly string[] | undefined;
  readonly isFlag?: boolean;
  readonly appends?: boolean | undefined;
  readonly submits?: boolean | undefined;
  /** Types the rest when the field holds only the beginning; false: nothing was typed. */
  readonly goOn?: (held: string) => Promise<boolean>;
}

export function isTypedByKeys({ type }: FoundElement): boolean {
  return type === null || !SET_TYPES.includes(type);
}

export async function fillText(acting: Acting, request: FillRequest): Promise<Acted> {
  const { handle, time } = acting;
  const { found, ref, value, appends, isFlag } = request;
  const asks = { op: "put", ref: found.ref, value, appends, isFlag } as const;
  const answer: PutAnswer = await time.call("the field to be set", () =>
    handle.elements.ask<"put">(found.frame, asks, time.part()),
  );
  if (answer.how === "set") {
    if (request.submits) await pressEnter(acting, request);
    return { frame: found.frame };
  }
  if (answer.how === "choose") return select(acting, { ref, values: request.values ?? [value] });
  if (answer.how === "refused") throw wrongKind(ref, answer.hint);
  if (answer.how === "disabled") throw disabled(ref);
  if (answer.how === "readonly") {
    await handle.elements.find(ref, "type", time.part());
    throw wrongKind(ref, "it is read-only");
  }
  if (answer.how === "click") return fillBox(acting, request, answer.isChecked);
  if (answer.how === "gone") {
    await handle.elements.find(ref, "look", time.part());
    throw changedUnderClick(ref, "it was another one for a moment");
  }
  await insertText(acting, request);
  return { frame: found.frame };
}

/** Enter is under the same guard, because typing may change the surroundings. */
async function insertText(acting: Acting, request: FillRequest): Promise<void> {
  const { keyboard } = acting.handle.page;
  const { value, submits, appends } = request;
  const inserts = () =>
    value === "" && !appends ? keyboard.press("Delete") : keyboard.insertText(value);
  await sendKeys(acting, request, [inserts, ...(submits ? [() => keyboard.press("Enter")] : [])]);
  if (!submits) await verifyText(acting, request);
}

function pressEnter(acting: Acting, request: FillRequest): Promise<void> {
  return sendKeys(acting, request, [() => acting.handle.page.keyboard.press("Enter")]);
}

async function sendKeys(
  acting: Acting,
  target: KeyTarget,
  keys: readonly (() => Promise<void>)[],
): Promise<void> {
  await sendGuarded(acting, target, async () => {
    for (const key of keys) await acting.time.step("the text to be taken by the page", key);
  });
}

async function verifyText(acting: Acting, request: FillRequest): Promise<void> {
  const { ref, found, value, appends } = request;
  const state = await readState(acting, found);
  if (!state?.isThere || state.value === null) return;
  const toPlain = PLAIN_FIELDS.includes(found.tag) ? toText : toLines;
  const [held, typed] = [toPlain(state.value), toPlain(value)];
  if (appends ? held.endsWith(typed) : held === typed) return;
  const isBegun = state.value !== "" && value.startsWith(state.value);
  if (isBegun && (await request.goOn?.(state.value))) return;
  if (found.type === "password") {
    acting.tell(`${ref} holds another text than was typed.`);
    return;
  }
  const lines = toLines(state.value).replaceAll("\n", " ⏎ ");
  acting.tell(`${ref} holds "${shown(lines)}", not what was typed.`);
}

export async function readState(
  { handle, time }: Acting,
  { frame, ref }: FoundElement,
): Promise<Answers<"state"> | undefined> {
  const asks = { op: "state", ref } as const;
  return handle.elements.ask<"state">(frame, asks, time.part()).catch(() => undefined);
}

function toText(value: string): string {
  return value.replace(/\r\n?/g, "\n").replace(/\n+$/, "");
}

function toLines(value: string): string {
  const lines = value.split(/[\r\n]+/).map((line) => line.replace(/\s+/g, " ").trim());
  return lines.filter((line) => line !== "").join("\n");
}

async function fillBox(
  acting: Acting,
  { ref, found, value }: FillRequest,
  isChecked: boolean,
): Promise<Acted> {
  const wanted = readChecked(ref, value);
  if (wanted === isChecked) return { frame: found.frame };
  if (!wanted && found.type === "radio") {
    throw wrongKind(ref, "a radio is left by choosing another one");
  }
  const acted = await click(acting, { ref, purpose: "check" });
  const state = await readState(acting, found);
  if (state?.isThere && state.isChecked !== null && state.isChecked !== wanted) {
    acting.tell(`${ref} was clicked and is still ${wanted ? "not checked" : "checked"}.`);
  }
  return acted;
}

function readChecked(ref: string, value: string): boolean {
  const folded = value.trim().toLowerCase();
  if (CHECKED.includes(folded)) return true;
  if (UNCHECKED.includes(folded)) return false;
  throw wrongKind(ref, `it is checked or not: give true or false, not "${shown(value)}"`);
}

export async function select(
  { handle, time }: Acting,
  { ref, values }: { readonly ref: string; readonly values: readonly string[] },
): Promise<Acted> {
  const { elements } = handle;
  const found = await elements.find(ref, "select", time.part());
  const asks = { op: "choose", ref: found.ref, values } as const;
  const answer = await time.call("the option to be chosen", () =>
    elements.ask<"choose">(found.frame, asks, time.part()),
  );
  if (answer.how === "missing") throw optionNotFound({ ref, ...answer });
  if (answer.how === "ambiguous") throw optionAmbiguous({ ref, ...answer });
  if (answer.how === "refused") throw wrongKind(ref, answer.hint);
  if (answer.how === "gone") {
    await elements.find(ref, "select", time.part());
    throw changedUnderClick(ref, "it was another one for a moment");
  }
  return { frame: found.frame };
}
