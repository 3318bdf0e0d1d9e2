// What is in a field. Passwords are never reported, only how long they are.

import { squeeze } from "../name/text-gatherer.js";
import { isEditingHost } from "../role/role-of.js";
import {
  attributeOf,
  hasAttributeOf,
  innerTextOf,
  isInput,
  isSelect,
  isTextArea,
} from "../tree/clobbered.js";
import { words } from "../words.js";

const MAX_VALUE_CHARS = 1_000;
const HIDDEN_LETTER = "•";
const MAX_HIDDEN_LETTERS = 32;
const WRITTEN_ROLES = words("textbox searchbox");
const STATED_TYPES: readonly string[] = [
  "button",
  "checkbox",
  "hidden",
  "image",
  "radio",
  "reset",
  "submit",
];

/** undefined for what is not a field. */
export function fieldValue(element: Element): string | undefined {
  if (isInput(element)) return inputValue(element);
  if (isTextArea(element)) return element.value;
  if (isSelect(element)) {
    return [...element.selectedOptions].map((option) => squeeze(option.label)).join(", ");
  }
  if (element instanceof HTMLProgressElement) {
    return element.hasAttribute("value") ? String(element.value) : undefined;
  }
  if (element instanceof HTMLMeterElement) return String(element.value);
  const said = attributeOf(element, "aria-valuetext") ?? attributeOf(element, "aria-valuenow");
  if (said !== null) return said;
  const isEditor = hasAttributeOf(element, "contenteditable") && isEditingHost(element);
  const isField = isEditor || WRITTEN_ROLES.has(attributeOf(element, "role") ?? "");
  return isField ? squeeze(innerTextOf(element)) : undefined;
}

export function cutValue(value: string): string {
  return value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS)}…` : value;
}

function inputValue(input: HTMLInputElement): string | undefined {
  if (STATED_TYPES.includes(input.type)) return undefined;
  if (input.type === "password") {
    return HIDDEN_LETTER.repeat(Math.min(input.value.length, MAX_HIDDEN_LETTERS));
  }
  if (input.type === "file") return [...(input.files ?? [])].map(({ name }) => name).join(", ");
  return input.value;
}
