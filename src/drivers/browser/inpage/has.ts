// Whether a text or an element is in sight, for anyone who waits for it.

import type { HasAnswer, HasOperation } from "./act-protocol.js";
import { isVisible } from "./check.js";
import { innerTextOf, page, shadowOf, tree } from "./tree/clobbered.js";

export function has({ texts, selector }: HasOperation): HasAnswer {
  const seen = texts.length > 0 ? fold(seenText(document)) : "";
  const found = selector === undefined ? true : hasMatch(document, selector);
  return {
    texts: texts.map((text) => seen.includes(fold(text))),
    selector: found === true,
    isSelectorWrong: found === undefined,
  };
}

/** With what is in open shadow roots, which `innerText` leaves out. */
function seenText(root: Document | ShadowRoot): string {
  const own =
    root instanceof Document
      ? innerTextOf(page.body())
      : [...root.children].map(innerTextOf).join("\n");
  return [own, ...shadowRootsOf(root).map(seenText)].join("\n");
}

/** undefined when it is not CSS. */
function hasMatch(root: Document | ShadowRoot, selector: string): boolean | undefined {
  try {
    if ([...tree.findAll(root, selector)].some(isVisible)) return true;
  } catch {
    return undefined;
  }
  return shadowRootsOf(root).some((inner) => hasMatch(inner, selector));
}

function shadowRootsOf(root: Document | ShadowRoot): readonly ShadowRoot[] {
  return [...tree.findAll(root, "*")].flatMap((element) => shadowOf(element) ?? []);
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}
