// Whether a text or an element is in sight, for whoever waits for it.

import type { HasAnswer, HasOperation } from "./act-protocol.js";
import { isVisible } from "./check.js";

export function has({ texts, selector }: HasOperation): HasAnswer {
  const seen = texts.length > 0 ? fold(seenText(document)) : "";
  const found = selector === undefined ? true : hasMatch(document, selector);
  return {
    texts: texts.map((text) => seen.includes(fold(text))),
    selector: found === true,
    isSelectorWrong: found === undefined,
  };
}

/** With what stands in open shadow roots, which `innerText` leaves out. */
function seenText(root: Document | ShadowRoot): string {
  const own =
    root instanceof Document
      ? (root.body?.innerText ?? "")
      : [...root.children]
          .map((child) => (child instanceof HTMLElement ? child.innerText : ""))
          .join("\n");
  return [own, ...shadowRootsOf(root).map(seenText)].join("\n");
}

/** undefined when it is no CSS. */
function hasMatch(root: Document | ShadowRoot, selector: string): boolean | undefined {
  try {
    if ([...root.querySelectorAll(selector)].some(isVisible)) return true;
  } catch {
    return undefined;
  }
  return shadowRootsOf(root).some((inner) => hasMatch(inner, selector));
}

function shadowRootsOf(root: Document | ShadowRoot): readonly ShadowRoot[] {
  return [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}
