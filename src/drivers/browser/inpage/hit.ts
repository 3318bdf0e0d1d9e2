// The element under a point, and a point where an element can be clicked, through open shadow roots.
import { squeeze, words } from "./collect.js";
import { roleOf } from "./roles.js";
import { interactivityOf } from "./row/interactive.js";
import * as dom from "./tree/clobbered.js";
import { parentOf } from "./tree/cursor.js";

const TRIED_PARTS: readonly (readonly [number, number])[] = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
];
const OWN_CLICK =
  "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=menuitem],[role=option],[role=treeitem],[role=tab],[role=checkbox],[role=radio],[role=switch]";
const MADE_OF_FIELDS = words(
  "checkbox combobox listbox radio searchbox slider spinbutton switch textbox",
);
const MAX_TRIED_BOXES = 4;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Hit =
  | { readonly point: Point; readonly by?: undefined }
  | { readonly point?: undefined; readonly by: Element | undefined };

/** The innermost element; undefined outside the viewport. */
export function elementAt({ x, y }: Point): Element | undefined {
  let root: Document | ShadowRoot = document;
  let found: Element | undefined;
  for (;;) {
    const hit: Element | null = dom.tree.at(root, x, y);
    if (!hit || hit === found) return found;
    found = hit;
    const inner = dom.shadowOf(hit);
    if (!inner || inner === root) return found;
    root = inner;
  }
}

/** Inside the element or its label, and not in an inner element with clicks of its own. */
export function isFor(node: Node, element: Element): boolean {
  let other: Element | undefined;
  for (let at: Node | null = node; at; at = parentOf(at)) {
    if (at === element) {
      return !other || isSaidBy(other, element) || isAllOf(other, element) || !isAlone(element);
    }
    // Parts of a shadow root belong to the host.
    if (dom.isShadowRoot(at) && at.host === element) return true;
    if (!dom.isAnElement(at)) continue;
    if (at instanceof HTMLLabelElement && at.control === element) return !other;
    if (dom.isMatch(at, OWN_CLICK)) other ??= at;
  }
  return false;
}

/** What the browser clicks: the field of the label around the node. */
export function controlAt(node: Node): Element | undefined {
  for (let at: Node | null = node; at; at = parentOf(at)) {
    if (at instanceof HTMLLabelElement) return at.control ?? undefined;
  }
  return undefined;
}

/** Both have the same name, such as a menu entry that is one link. */
function isSaidBy(inner: Element, element: Element): boolean {
  const [said, own] = [inner, element].map((each) =>
    squeeze(dom.attributeOf(each, "aria-label") ?? dom.textOf(each) ?? ""),
  );
  return said !== "" && said === own && !dom.hasAttributeOf(element, "aria-labelledby");
}

/** The element contains only `inner`, such as a button around an icon button. */
function isAllOf(inner: Element, element: Element): boolean {
  const label = dom.attributeOf(element, "aria-label");
  if (label !== null && label !== dom.attributeOf(inner, "aria-label")) return false;
  if (squeeze(dom.textOf(inner) ?? "") !== squeeze(dom.textOf(element) ?? "")) return false;
  for (let at: Node | null = inner; at && at !== element; at = parentOf(at)) {
    const around = parentOf(at);
    if (dom.isAnElement(around) && dom.childCountOf(around) !== 1) return false;
  }
  return true;
}

function isAlone(element: Element): boolean {
  const role = roleOf(element);
  if (element instanceof HTMLLabelElement || MADE_OF_FIELDS.has(role)) return false;
  const isPointer = getComputedStyle(element).cursor === "pointer";
  return interactivityOf(element, { role, isPointer }).isInteractive;
}

export function boxesOf(element: Element): readonly DOMRect[] {
  const own = [...dom.rectsOf(element)].filter(hasSize);
  if (own.length > 0) return own;
  const range = dom.page.range();
  range.selectNodeContents(element);
  return [...range.getClientRects()].filter(hasSize);
}

export function hasSize({ width, height }: DOMRect): boolean {
  return width > 0 && height > 0;
}

/** A point in `place` where a click reaches the element, else what covers it. */
export function findPoint(element: Element, place = element): Hit {
  let by: Element | undefined;
  for (const box of boxesOf(place).slice(0, MAX_TRIED_BOXES)) {
    const seen = cutToViewport(box);
    if (!hasSize(seen)) continue;
    for (const [partX, partY] of TRIED_PARTS) {
      const point = { x: seen.x + seen.width * partX, y: seen.y + seen.height * partY };
      const hit = elementAt(point);
      if (hit && isFor(hit, element)) return { point };
      by ??= hit;
    }
  }
  return { by };
}

export function isOver(element: Element, { x, y }: Point): boolean {
  return boxesOf(element).some(
    ({ left, right, top, bottom }) =>
      x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1,
  );
}

function cutToViewport(box: DOMRect): DOMRect {
  const left = Math.max(box.left, 0);
  const top = Math.max(box.top, 0);
  const right = Math.min(box.right, innerWidth);
  const bottom = Math.min(box.bottom, innerHeight);
  return new DOMRect(left, top, Math.max(right - left, 0), Math.max(bottom - top, 0));
}
