// Puts values into fields, in the same step as the ref check and with setters that page scripts
// cannot replace.

import { isCheckable, isDisabled, isTypable } from "./check.js";
import { squeeze, words } from "./collect.js";
import type { Answers, ChooseAnswer, PutAnswer, PutOperation } from "./protocol.js";
import type { Found } from "./refs/ref-book.js";
import { isReadOnly } from "./row/states.js";
import * as dom from "./tree/clobbered.js";
import { fieldOf } from "./tree/find.js";

const SET_TYPES = words("date time month week datetime-local color range");
const EXAMPLES: Readonly<Record<string, string>> = {
  date: "2026-03-09",
  time: "14:05",
  month: "2026-03",
  week: "2026-W11",
  "datetime-local": "2026-03-09T14:05",
  color: "#12ab34",
};
const MAX_LISTED_OPTIONS = 40;

type Find = (ref: number) => Found;

export function put(asks: Omit<PutOperation, "op">, find: Find): PutAnswer {
  const { ref, value, appends, isFlag } = asks;
  const { element, why } = find(ref);
  if (why || !element) return { how: "gone" };
  if (isDisabled(element)) return { how: "disabled" };
  if (dom.isSelect(element)) return { how: "choose" };
  if (isCheckable(element)) return { how: "click", isChecked: isChecked(element) ?? false };
  if (isFlag) return refused(`it is not a checkbox, but ${kindOf(element)}`);
  if (dom.isInput(element) && SET_TYPES.has(element.type)) {
    if (isReadOnly(element)) return { how: "readonly" };
    if (appends) return refused("it takes a whole value");
    return focusStays(element, () => find(ref)) ? setInput(element, value) : { how: "gone" };
  }
  if (!isTypable(element)) return refused("it does not take text");
  if (isReadOnly(element)) return { how: "readonly" };
  const isNumber = dom.isInput(element) && element.type === "number";
  if (isNumber && isNoNumber(value)) return refused("it takes a number");
  focusOn(element);
  if (appends) moveToEnd(element);
  else selectAll(element);
  return { how: "type" };
}

function refused(hint: string): { readonly how: "refused"; readonly hint: string } {
  return { how: "refused", hint };
}

function kindOf(element: Element): string {
  const type = dom.isInput(element) ? ` type=${element.type}` : "";
  return `<${dom.tagOf(element)}${type}>`;
}

export function focus({ ref }: { readonly ref: number }, find: Find): { hasFocus: boolean } {
  const { element, why } = find(ref);
  if (why || !element) return { hasFocus: false };
  if (hasFocus(element)) return { hasFocus: true };
  focusOn(element);
  if (isTypable(element)) moveToEnd(element);
  return { hasFocus: hasFocus(element) };
}

export function choose(
  { ref, values }: { readonly ref: number; readonly values: readonly string[] },
  find: Find,
): ChooseAnswer {
  const { element, why } = find(ref);
  if (why || !element) return { how: "gone" };
  if (!dom.isSelect(element)) return refused("it is not a <select>");
  if (values.length > 1 && !element.multiple) return refused("it takes one value");
  if (!focusStays(element, () => find(ref))) return { how: "gone" };
  const options = [...element.options];
  const chosen = new Set<HTMLOptionElement>();
  for (const value of values) {
    const found = findOption(options, value);
    if (found.isAmbiguous) return { how: "ambiguous", value, label: found.option.label };
    const { option } = found;
    if (!option) return { how: "missing", value, options: tellOptions(options) };
    if (isDisabled(option)) return refused(`its option "${value}" is disabled`);
    chosen.add(option);
  }
  for (const option of options) option.selected = chosen.has(option);
  tellChange(element);
  return { how: "chosen", labels: [...chosen].map((option) => option.label) };
}

/** Accepts a changed name: our own input may have changed it. */
export function readState({ ref }: { readonly ref: number }, find: Find): Answers<"state"> {
  const { element, why } = find(ref);
  if (!element || (why && why !== "changed")) {
    return { isThere: false, value: null, isChecked: null, hasFocus: false };
  }
  return {
    isThere: true,
    value: readValue(element),
    isChecked: isChecked(element),
    hasFocus: hasFocus(element),
  };
}

type FoundOption =
  | { readonly isAmbiguous: false; readonly option: HTMLOptionElement | undefined }
  | { readonly isAmbiguous: true; readonly option: HTMLOptionElement };

function findOption(options: readonly HTMLOptionElement[], wanted: string): FoundOption {
  const fold = (text: string) => squeeze(text).toLowerCase();
  const byValue = (text: string) => options.find((option) => option.value === text);
  const byLabel = (text: string) =>
    options.find((option) => option.label === text) ??
    options.find((option) => fold(option.label) === fold(text));
  const valued = byValue(wanted);
  const labelled = options.find((option) => option.label === wanted);
  if (valued && labelled && valued !== labelled && valued.label !== wanted) {
    return { isAmbiguous: true, option: valued };
  }
  const [, way, rest = ""] = /^(value|label)=(.*)$/s.exec(wanted) ?? [];
  const named = way === "value" ? byValue(rest) : way && byLabel(rest);
  return { isAmbiguous: false, option: valued ?? byLabel(wanted) ?? (named || undefined) };
}

function tellOptions(options: readonly HTMLOptionElement[]): readonly string[] {
  return options.slice(0, MAX_LISTED_OPTIONS).map((option) => option.label);
}

function setInput(input: HTMLInputElement, value: string): PutAnswer {
  const wanted = input.type === "color" ? value.trim().toLowerCase() : value.trim();
  const before = input.value;
  input.value = wanted;
  const isTaken =
    input.type === "range" ? isSameNumber(input.value, wanted) : isSame(input, wanted);
  if (!isTaken) {
    const given = input.value;
    input.value = before;
    const example = EXAMPLES[input.type];
    const hint =
      input.type === "range"
        ? `it would take ${given} instead: it goes from ${input.min || "0"} to ${input.max || "100"} in steps of ${input.step || "1"}`
        : `it takes values like ${example}`;
    return refused(hint);
  }
  tellChange(input);
  return { how: "set", value: input.value };
}

function isSame(input: HTMLInputElement, wanted: string): boolean {
  return input.value === wanted || (wanted !== "" && `${input.value}:00` === wanted);
}

function isSameNumber(given: string, wanted: string): boolean {
  return wanted !== "" && Number(given) === Number(wanted);
}

function isNoNumber(value: string): boolean {
  return value.trim() !== "" && !Number.isFinite(Number(value));
}

function tellChange(element: Element): void {
  element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
}

function focusOn(element: Element): void {
  if (element instanceof HTMLElement || element instanceof SVGElement) {
    element.focus({ preventScroll: true });
  }
}

/** A page may replace the field when it gets the focus. */
function focusStays(element: Element, findNow: () => Found): boolean {
  focusOn(element);
  const { element: now, why } = findNow();
  return !why && now === element && !isDisabled(element);
}

function hasFocus(element: Element): boolean {
  const root = dom.rootOf(element);
  const active = dom.isTree(root) ? dom.tree.active(root) : null;
  return (
    active !== null &&
    (active === element || dom.isAround(element, active) || isHostOf(element, active))
  );
}

/** The editing host has the focus for everything inside. */
function isHostOf(element: Element, active: Element): boolean {
  return dom.isEditable(active) && dom.isAround(active, element);
}

function selectAll(element: Element): void {
  if (dom.isInput(element) || dom.isTextArea(element)) {
    element.select();
    return;
  }
  const range = dom.page.range();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

function moveToEnd(element: Element): void {
  if (dom.isInput(element) || dom.isTextArea(element)) {
    getSelection()?.modify("move", "forward", "documentboundary");
    return;
  }
  selectAll(element);
  getSelection()?.collapseToEnd();
}

function isChecked(element: Element): boolean | null {
  const field = fieldOf(element);
  if (dom.isInput(field) && ["checkbox", "radio"].includes(field.type)) {
    return field.checked;
  }
  const state = dom.attributeOf(element, "aria-checked");
  return state === null ? null : state === "true";
}

function readValue(element: Element): string | null {
  if (dom.isInput(element) || dom.isTextArea(element) || dom.isSelect(element)) {
    return element.value;
  }
  return dom.isEditable(element) ? dom.innerTextOf(element) : null;
}
