// One element as a row of the listing.

import { words } from "../collect.js";
import type { Look } from "../look.js";
import type { Name } from "../name/name-of.js";
import { ROW_FLAGS, type Row } from "../protocol.js";
import { attributeOf, page, tagOf, textOf } from "../tree/clobbered.js";
import { fieldOf } from "../tree/find.js";
import { cutValue, fieldValue, statesOf } from "./states.js";

const VALUED = words(
  "button combobox listbox meter progressbar scrollbar searchbox slider spinbutton textbox",
);
const NAMED_BY_TAG: readonly string[] = ["canvas", "video", "audio", "embed", "object"];
const HINTED_TAGS = words(
  "div span li td p img i b em a svg g circle ellipse line path polygon polyline rect use",
);
const FILE_NAME = /([^/?#]+)\.\w{2,5}(?:[?#]|$)/u;
const MAX_HINT_CHARS = 60;
const MAX_URL_CHARS = 2_000;
const MAX_DATA_CHARS = 40;

interface RowParts {
  readonly ref: number;
  readonly depth: number;
  readonly verdict: {
    readonly role: string;
    readonly name: Name;
    readonly isInteractive: boolean;
    readonly isPointed: boolean;
  };
}

export function makeRow(look: Look, element: Element, parts: RowParts): Row {
  const { ref, depth } = parts;
  const { role, name, isInteractive } = parts.verdict;
  const value = VALUED.has(role) ? fieldValue(fieldOf(element)) : undefined;
  const isFrame = tagOf(element) === "iframe" || tagOf(element) === "frame";
  return [
    ref,
    depth,
    role,
    name.text || (isInteractive || NAMED_BY_TAG.includes(tagOf(element)) ? hintOf(element) : ""),
    statesOf(look, fieldOf(element), parts.verdict),
    value ? cutValue(value) : null,
    role === "link" ? linkUrl(element) : null,
    (isInteractive ? ROW_FLAGS.interactive : 0) | (isFrame ? ROW_FLAGS.frame : 0),
  ];
}

function hintOf(element: Element): string {
  const tag = tagOf(element);
  if (NAMED_BY_TAG.includes(tag)) return tag;
  if (!HINTED_TAGS.has(tag) || textOf(element)?.trim()) return "";
  const [, file = ""] = FILE_NAME.exec(attributeOf(element, "src") ?? "") ?? [];
  const classes = (attributeOf(element, "class") ?? "").trim().replace(/\s+/gu, ".");
  const fill = attributeOf(element, "fill") ?? "";
  return [file || tag, classes || attributeOf(element, "id"), fill]
    .filter(Boolean)
    .join(" ")
    .slice(0, MAX_HINT_CHARS);
}

export function withRef(row: Row, ref: number): Row {
  return withPart(row, 0, ref);
}

export function withPart<At extends 0 | 1 | 3 | 7>(row: Row, at: At, part: Row[At]): Row {
  const copy: { -readonly [Key in keyof Row]: Row[Key] } = [...row];
  copy[at] = part;
  return copy;
}

export function makePlainRow(parts: {
  readonly depth: number;
  readonly role: "text" | "option";
  readonly name: string;
  readonly states: string;
}): Row {
  return [0, parts.depth, parts.role, parts.name, parts.states, null, null, 0];
}

function linkUrl(element: Element): string | null {
  const href =
    element instanceof HTMLAnchorElement
      ? element.href
      : inDocument(attributeOf(element, "href") ?? attributeOf(element, "xlink:href"));
  if (!href) return null;
  const isData = href.startsWith("data:") || href.startsWith("javascript:");
  const max = isData ? MAX_DATA_CHARS : MAX_URL_CHARS;
  return href.length > max ? `${href.slice(0, max)}…` : href;
}

function inDocument(href: string | null): string | null {
  if (!href) return null;
  return URL.canParse(href, page.baseUrl()) ? new URL(href, page.baseUrl()).href : href;
}
