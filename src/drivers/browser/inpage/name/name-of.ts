// The accessible name: aria-labelledby, aria-label, the rule of the tag, the content, the title.

import { squeeze, words } from "../collect.js";
import type { Look } from "../look.js";
import { NAMED_BY_CONTENT, NAMELESS_ROLES, roleOf } from "../roles.js";
import { attributeOf, childrenOf, isDrawn, isInput, tagOf } from "../tree/clobbered.js";
import { referredBy } from "../tree/find.js";
import { contentText, svgTitle } from "./content-text.js";

const MAX_NAME_CHARS = 900;
const MAX_HOLDER_CHARS = 200;
const HOLDERS = words("caption cell columnheader generic gridcell rowheader treeitem");
const NO_NAME: Name = { text: "", isContent: false };
const MAX_LABEL_CHARS = 900;
const BUTTON_WORDS: Readonly<Record<string, string>> = {
  submit: "Submit",
  reset: "Reset",
  image: "Submit",
};
const PLACEHOLDER_TYPES = words("email number password search tel text url");
const NAMING_CHILD: ReadonlyMap<string, string> = new Map([
  ["fieldset", "legend"],
  ["figure", "figcaption"],
  ["table", "caption"],
]);

export interface Name {
  readonly text: string;
  readonly isContent: boolean;
}

export function nameOf(look: Look, element: Element, role: string): Name {
  if (role === "paragraph") return NO_NAME;
  const isNameless = NAMELESS_ROLES.has(role);
  const said = isNameless ? "" : saidName(look, element);
  if (said) return { text: cutName(said), isContent: false };
  const isByContent = NAMED_BY_CONTENT.has(role) || tagOf(element) === "summary";
  if (isByContent || isNameless) {
    const found = byContent(look, element, role);
    if (found.text || found.isContent) return found;
  }
  const title = attributeOf(element, "title") ?? "";
  return title ? { text: cutName(squeeze(title)), isContent: false } : NO_NAME;
}

export function nameNow(look: Look, element: Element): string {
  return nameOf(look, element, roleOf(element)).text;
}

function saidName(look: Look, element: Element): string {
  const referred = referredName(look, element);
  if (referred) return referred;
  const label = attributeOf(element, "aria-label");
  const squeezed = label ? squeeze(label) : "";
  return squeezed || nativeName(look, element);
}

function referredName(look: Look, element: Element): string {
  const targets = referredBy(element, "aria-labelledby");
  return squeeze(targets.map((target) => ownText(look, target)).join(" "));
}

function ownText(look: Look, target: Element): string {
  const label = attributeOf(target, "aria-label")?.trim();
  if (label) return label;
  const native = nativeName(look, target);
  if (native) return native;
  const isHidden = !isDrawn(target, { visibilityProperty: true });
  return contentText(look, target, { maxChars: MAX_NAME_CHARS, withHidden: isHidden }).text;
}

function byContent(look: Look, element: Element, role: string): Name {
  const isHolder = HOLDERS.has(role);
  const maxChars = isHolder ? MAX_HOLDER_CHARS : MAX_NAME_CHARS;
  const nameFor = (inner: Element) => saidName(look, inner);
  const withoutGroups = role === "treeitem";
  const { text, isCut } = contentText(look, element, { maxChars, nameFor, withoutGroups });
  if (isCut && isHolder) return NO_NAME;
  return { text: isCut ? cutName(text) : text, isContent: text !== "" };
}

function cutName(text: string): string {
  return text.length > MAX_NAME_CHARS ? `${text.slice(0, MAX_NAME_CHARS)}…` : text;
}

function nativeName(look: Look, element: Element): string {
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

function hint(field: Element): string {
  const title = squeeze(attributeOf(field, "title") ?? "");
  const type = isInput(field) ? field.type : "text";
  if (title || !PLACEHOLDER_TYPES.has(type)) return title;
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
