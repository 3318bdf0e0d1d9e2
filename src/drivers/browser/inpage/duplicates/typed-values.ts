// What fields say of the row they stand in. What was typed into one does not make another row of it, so
// the value it had before goes on to count; a value that the page writes does make another.

import { isEditingHost } from "../role/role-of.js";
import {
  hasAttributeOf,
  hasAttributesOf,
  isInput,
  isSelect,
  isTextArea,
  tagOf,
  textOf,
} from "../tree/clobbered.js";
import { words } from "../words.js";

const SILENT_TYPES = words("checkbox file image password radio");

export interface TypedValues {
  /** undefined: it is not a field, what is in it counts. */
  said(element: Element): string | undefined;
  /** What is in this field now was typed or chosen. */
  note(field: Element): void;
}

export function createTypedValues(): TypedValues {
  const last = new WeakMap<Element, string>();
  const typed = new WeakMap<Element, { readonly value: string; readonly said: string }>();
  const said = (element: Element): string | undefined => {
    const value = valueIn(element);
    if (value === undefined) return undefined;
    const known = typed.get(element);
    const counted = known?.value === value ? known.said : value;
    last.set(element, counted);
    return counted;
  };
  return {
    said,
    note: (field) => {
      const value = valueIn(field);
      const before = last.get(field);
      if (value !== undefined && before !== undefined) typed.set(field, { value, said: before });
    },
  };
}

function valueIn(element: Element): string | undefined {
  switch (tagOf(element)) {
    case "input":
      return isInput(element) && !SILENT_TYPES.has(element.type) ? element.value : "";
    case "textarea":
      return isTextArea(element) ? element.value : "";
    case "select":
      return isSelect(element)
        ? [...element.selectedOptions].map(({ label }) => label).join(" ")
        : "";
    default:
      return hasAttributesOf(element) &&
        hasAttributeOf(element, "contenteditable") &&
        isEditingHost(element)
        ? (textOf(element) ?? "")
        : undefined;
  }
}
