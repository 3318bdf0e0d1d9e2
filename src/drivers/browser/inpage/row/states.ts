// The states of an element in display order, and field values. Passwords show only their length.

import { squeeze, words } from "../collect.js";
import type { Look } from "../look.js";
import { isEditingHost } from "../roles.js";
import * as dom from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";

const CHECKABLE = words("checkbox menuitemcheckbox menuitemradio option radio switch treeitem");
const SELECTABLE = words("columnheader gridcell option row rowheader tab treeitem");
const SORTED = words("columnheader rowheader");
const PRESSABLE = words("button");
const FIELDS = words(
  "checkbox combobox listbox radiogroup searchbox slider spinbutton textbox switch",
);
const DISABLED_TAGS = words("button input select textarea fieldset option optgroup");
const DEFAULT_LEVEL = 2;
const MAX_ANCESTORS = 50;
const SCROLLING = words("dialog feed generic grid group list log main region table tabpanel tree");
const MIN_SCROLL_PX = 4;
const LIMITS = ["min", "max", "pattern"] as const;
const MAX_LIMIT_CHARS = 60;
const MAX_FAULT_CHARS = 120;
const POPUPS = /^(?:true|menu|listbox|tree|grid|dialog)$/u;
const MAX_VALUE_CHARS = 1_000;
const HIDDEN_LETTER = "•";
const MAX_HIDDEN_LETTERS = 32;
const WRITTEN_ROLES = words("textbox searchbox");
const STATED_TYPES = words("button checkbox hidden image radio reset submit");

interface StateOptions {
  readonly role: string;
  readonly isPointed: boolean;
}

export function statesOf(look: Look, element: Element, { role, isPointed }: StateOptions): string {
  const states: string[] = [];
  const add = (state: string | undefined) => {
    if (state) states.push(state);
  };
  if (dom.isInput(element) && element.type === "file") add("file");
  add(checkedState(element, role));
  if (isDisabled(look, element)) add("disabled");
  add(expandedState(element));
  if (isSelected(element, role)) add("selected");
  if (dom.hasAttributesOf(element)) {
    if (PRESSABLE.has(role)) add(pressedState(element));
    if (FIELDS.has(role)) fieldStates(element).forEach(add);
    add(popupState(element));
    add(currentState(element));
    if (SORTED.has(role)) add(sortState(element));
  }
  if (SCROLLING.has(role) && isScrollable(element)) add("scrollable");
  if (role === "heading") add(`level=${levelOf(element)}`);
  if (look.active === element) add("focused");
  if (isPointed) add("cursor=pointer");
  return states.join(" ");
}

function isScrollable(element: Element): boolean {
  if (dom.isClobbered(element) || element.scrollHeight - dom.heightOf(element) < MIN_SCROLL_PX)
    return false;
  return /auto|scroll/u.test(getComputedStyle(element).overflowY);
}

function isDisabled(look: Look, element: Element): boolean {
  if (DISABLED_TAGS.has(dom.tagOf(element)) && dom.isMatch(element, ":disabled")) return true;
  if (!look.hasDisabledGroups()) return false;
  let at: Element | null = element;
  for (let steps = 0; at && steps < MAX_ANCESTORS; steps += 1) {
    const said = dom.attributeOf(at, "aria-disabled");
    if (said === "true" || dom.hasAttributeOf(at, "inert")) return true;
    at = parentElementOf(at);
  }
  return false;
}

function checkedState(element: Element, role: string): string | undefined {
  if (!CHECKABLE.has(role)) return undefined;
  if (dom.isInput(element) && ["checkbox", "radio"].includes(element.type)) {
    if (element.indeterminate) return "mixed";
    return element.checked ? "checked" : undefined;
  }
  const said = dom.attributeOf(element, "aria-checked");
  if (said === "mixed") return "mixed";
  return said === "true" ? "checked" : undefined;
}

function expandedState(element: Element): string | undefined {
  const details = dom.tagOf(element) === "summary" ? parentElementOf(element) : null;
  if (details && dom.tagOf(details) === "details") {
    return dom.hasAttributeOf(details, "open") ? "expanded" : "collapsed";
  }
  if (!dom.hasAttributesOf(element)) return undefined;
  const said = dom.attributeOf(element, "aria-expanded");
  if (said === "true") return "expanded";
  return said === "false" ? "collapsed" : undefined;
}

function isSelected(element: Element, role: string): boolean {
  if (!SELECTABLE.has(role)) return false;
  if (element instanceof HTMLOptionElement) return element.selected;
  return dom.attributeOf(element, "aria-selected") === "true";
}

function pressedState(element: Element): string | undefined {
  const said = dom.attributeOf(element, "aria-pressed");
  if (said === "mixed") return "pressed=mixed";
  return said === "true" ? "pressed" : undefined;
}

function fieldStates(element: Element): readonly string[] {
  const is = (name: string) => dom.attributeOf(element, `aria-${name}`) === "true";
  const isRequired = dom.isMatch(element, ":required") || is("required");
  const isReadonly = isReadOnly(element);
  const invalid = dom.attributeOf(element, "aria-invalid");
  const isEditor = isReadonly && isEditingHost(element);
  return [
    ...(isRequired ? ["required"] : []),
    ...(isReadonly && !isEditor ? ["readonly"] : []),
    ...limitStates(element),
    ...(invalid !== null && invalid !== "false" && invalid !== "" ? ["invalid"] : faultOf(element)),
  ];
}

function limitStates(element: Element): readonly string[] {
  if (dom.isTextArea(element)) return ["multiline"];
  if (dom.isSelect(element)) return element.multiple ? ["multiple"] : [];
  if (!dom.isInput(element))
    return dom.attributeOf(element, "aria-multiline") === "true" ? ["multiline"] : [];
  const limits = LIMITS.flatMap((name) => {
    const value = dom.attributeOf(element, name);
    return value ? [`${name}=${value.replace(/\s+/gu, "").slice(0, MAX_LIMIT_CHARS)}`] : [];
  });
  const isPassword = element.type === "password";
  return [
    ...(isPassword ? ["password"] : []),
    ...(element.multiple ? ["multiple"] : []),
    ...limits,
  ];
}

function faultOf(element: Element): readonly string[] {
  if (!dom.isInput(element) && !dom.isTextArea(element)) return [];
  if (element.value === "" || element.validity.valid) return [];
  return [`invalid="${element.validationMessage.replaceAll('"', "'").slice(0, MAX_FAULT_CHARS)}"`];
}

function popupState(element: Element): string | undefined {
  const said = dom.attributeOf(element, "aria-haspopup") ?? "";
  return POPUPS.test(said) ? `haspopup=${said === "true" ? "menu" : said}` : undefined;
}

export function isReadOnly(element: Element): boolean {
  if (dom.attributeOf(element, "aria-readonly") === "true") return true;
  return "readOnly" in element && element.readOnly === true;
}

function currentState(element: Element): string | undefined {
  const said = dom.attributeOf(element, "aria-current");
  return said === null || said === "false" || said === "" ? undefined : "current";
}

function sortState(element: Element): string | undefined {
  const said = dom.attributeOf(element, "aria-sort") ?? "";
  return /^(?:a|de)scending$/u.test(said) ? `sort=${said}` : undefined;
}

export function levelOf(heading: Element): number {
  return Number(dom.attributeOf(heading, "aria-level") ?? dom.tagOf(heading)[1]) || DEFAULT_LEVEL;
}

export function fieldValue(element: Element): string | undefined {
  if (dom.isInput(element)) return inputValue(element);
  if (dom.isTextArea(element)) return element.value;
  if (dom.isSelect(element)) {
    return [...element.selectedOptions].map((option) => squeeze(option.label)).join(", ");
  }
  if (element instanceof HTMLProgressElement) {
    return element.hasAttribute("value") ? String(element.value) : undefined;
  }
  if (element instanceof HTMLMeterElement) return String(element.value);
  const said =
    dom.attributeOf(element, "aria-valuetext") ?? dom.attributeOf(element, "aria-valuenow");
  if (said !== null) return said;
  const isEditor = dom.hasAttributeOf(element, "contenteditable") && isEditingHost(element);
  const isField = isEditor || WRITTEN_ROLES.has(dom.attributeOf(element, "role") ?? "");
  return isField ? squeeze(dom.innerTextOf(element)) : undefined;
}

export function cutValue(value: string): string {
  return value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS)}…` : value;
}

function inputValue(input: HTMLInputElement): string | undefined {
  if (STATED_TYPES.has(input.type)) return undefined;
  if (input.type === "password") {
    return HIDDEN_LETTER.repeat(Math.min(input.value.length, MAX_HIDDEN_LETTERS));
  }
  if (input.type === "file") return [...(input.files ?? [])].map(({ name }) => name).join(", ");
  return input.value;
}
