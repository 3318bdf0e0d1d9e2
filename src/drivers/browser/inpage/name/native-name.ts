// The name that HTML itself gives: labels of fields, words on buttons, texts for pictures, captions.

import type { Look } from "../look.js";
import { attributeOf, childrenOf, isInput, tagOf } from "../tree/clobbered.js";
import { contentText, svgTitle } from "./content-text.js";
import { squeeze } from "./text-gatherer.js";

const MAX_LABEL_CHARS = 900;
/** What browsers write on them. */
const BUTTON_WORDS: Readonly<Record<string, string>> = {
  submit: "Submit",
  reset: "Reset",
  image: "Submit",
};
const PLACEHOLDER_TYPES: readonly string[] = [
  "email",
  "number",
  "password",
  "search",
  "tel",
  "text",
  "url",
];
/** The child that names them. */
const NAMING_CHILD: ReadonlyMap<string, string> = new Map([
  ["fieldset", "legend"],
  ["figure", "figcaption"],
  ["table", "caption"],
]);

/** Empty when there is none. */
export function nativeName(look: Look, element: Element): string {
  if (isInput(element)) return inputName(look, element);
  switch (tagOf(element)) {
    case "textarea":
      return labelText(look, element) || hint(element);
    case "select":
    case "button":
    case "output":
    case "meter":
    case "progress":
      return labelText(look, element);
    case "img":
    case "area":
      return squeeze(attributeOf(element, "alt") ?? "");
    case "svg":
    case "g":
      return squeeze(svgTitle(element));
    case "optgroup":
      return squeeze(attributeOf(element, "label") ?? "");
    case "option":
      return squeeze(element instanceof HTMLOptionElement ? element.label : "");
    default:
      return childName(look, element);
  }
}

function inputName(look: Look, input: HTMLInputElement): string {
  const { type } = input;
  const isButton = type === "button" || type in BUTTON_WORDS;
  const label = labelText(look, input);
  if (label) return label;
  if (type === "image") return input.alt || input.title || "Submit";
  if (isButton) return squeeze(input.value) || BUTTON_WORDS[type] || squeeze(input.title);
  if (type === "file") return squeeze(input.title) || "Choose File";
  return hint(input);
}

/** A title counts more than what is in an empty field. */
function hint(field: Element): string {
  const title = squeeze(attributeOf(field, "title") ?? "");
  const type = isInput(field) ? field.type : "text";
  if (title || !PLACEHOLDER_TYPES.includes(type)) return title;
  return squeeze(attributeOf(field, "placeholder") ?? "");
}

function labelText(look: Look, field: Element): string {
  const labels = look.labels.labelsOf(field);
  if (labels.length === 0) return "";
  const texts = labels.map((label) => {
    const said = label.getAttribute("aria-label")?.trim();
    return said || contentText(look, label, { maxChars: MAX_LABEL_CHARS, except: field }).text;
  });
  return squeeze(texts.join(" "));
}

function childName(look: Look, element: Element): string {
  const tag = NAMING_CHILD.get(tagOf(element));
  if (!tag) return "";
  for (const child of childrenOf(element)) {
    if (tagOf(child) === tag) return contentText(look, child, { maxChars: MAX_LABEL_CHARS }).text;
  }
  return "";
}
