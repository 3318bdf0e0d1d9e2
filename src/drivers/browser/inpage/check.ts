// Checks whether an element can be acted on; also whether a text or selector is visible, for `wait`.

import { squeeze, words } from "./collect.js";
import { boxesOf, findPoint, type Hit, type Point } from "./hit.js";
import type {
  Answers,
  Asks,
  CheckBad,
  CheckGood,
  CheckOperation,
  Near,
  Purpose,
  Row,
} from "./protocol.js";
import type { Found } from "./refs/ref-book.js";
import { withPart } from "./row/make-row.js";
import { isReadOnly } from "./row/states.js";
import * as dom from "./tree/clobbered.js";
import { isIn, parentOf } from "./tree/cursor.js";
import { fieldOf } from "./tree/find.js";

/** Tried when a bar at an edge may cover the element. */
const OTHER_PLACES = ["start", "end", "nearest"] as const;
const MAX_COVER_CHARS = 60;
const POINTING: readonly Purpose[] = ["click", "hover", "check", "drag"];
const LOOKING: readonly Purpose[] = ["look", "again", "aim", "drop"];
const CLICKING: readonly Purpose[] = ["click", "check"];
const TYPED_TYPES = words(
  "text search url tel email password number date time month week datetime-local color range",
);
const CHECKABLE_ROLES = words("checkbox radio switch menuitemcheckbox menuitemradio");

export interface RefLookUp {
  /** `changed`: it is there with another role, name or context. */
  lookUp(ref: number): Found;
  rowOf(element: Element): Row;
  near(ref: number): { readonly now?: Near; readonly near: readonly Near[] };
  nextRef(): number;
}

interface Fault {
  readonly why: CheckBad["why"];
  readonly hint?: string;
  readonly by?: Element | undefined;
}

export function check(asks: CheckOperation, refs: RefLookUp): CheckGood | CheckBad {
  const { element, why } = refs.lookUp(asks.ref);
  if (why || !element) return toBad({ why: why ?? "unknown" }, { asks, refs });
  const fault = findFault(element, asks.purpose);
  if (fault) return toBad(fault, { asks, refs });
  const isStoodIn = LOOKING.includes(asks.purpose)
    ? !isVisible(element)
    : CLICKING.includes(asks.purpose);
  const target = isStoodIn ? standIn(element) : element;
  bringIntoView(element, target);
  if (asks.purpose === "files") return toGood(element, { x: 0, y: 0 });
  if (!isVisible(target)) return toBad({ why: "hidden" }, { asks, refs });
  if (!POINTING.includes(asks.purpose)) return toGood(element, middleOf(target));
  const hit = findWithScrolling(element, target);
  if (!hit.point) {
    if (getComputedStyle(target).pointerEvents === "none")
      return toBad({ why: "disabled", hint: "pointer-events: none" }, { asks, refs });
    const hint = hit.by && isIn(hit.by, element) ? "inside" : undefined;
    return toBad({ why: "covered", by: hit.by, ...(hint && { hint }) }, { asks, refs });
  }
  return toGood(element, hit.point);
}

/** A field without a clickable box is clicked through its label. */
function standIn(element: Element): Element {
  if (!dom.isInput(element)) return element;
  if (isVisible(element) && findPoint(element).point) return element;
  const label = [...(element.labels ?? [])].find((candidate) => isVisible(candidate));
  return label ?? element;
}

export function isDisabled(element: Element): boolean {
  if (dom.isMatch(fieldOf(element), ":disabled")) return true;
  for (let at: Node | null = element; at; at = parentOf(at)) {
    if (!dom.isAnElement(at)) continue;
    if (dom.hasAttributeOf(at, "inert") || dom.attributeOf(at, "aria-disabled") === "true")
      return true;
  }
  return false;
}

function isVisible(element: Element): boolean {
  const isSeen = dom.isDrawn(element, {
    visibilityProperty: true,
    contentVisibilityAuto: true,
  });
  // With `display: contents` only its content has boxes.
  const hasNoBox = getComputedStyle(element).display === "contents";
  return (isSeen || hasNoBox) && boxesOf(element).length > 0;
}

function findFault(element: Element, purpose: Purpose): Fault | undefined {
  const hint = kindFault(element, purpose);
  if (hint) return { why: "wrong_kind", hint };
  if (LOOKING.includes(purpose) || purpose === "scroll" || purpose === "hover") return undefined;
  if (isDisabled(element)) return { why: "disabled" };
  const isLocked = purpose === "type" && isReadOnly(element);
  return isLocked ? { why: "disabled", hint: "it is read-only" } : undefined;
}

function kindFault(element: Element, purpose: Purpose): string | undefined {
  const field = fieldOf(element);
  const isFile = dom.isInput(field) && field.type === "file";
  if (purpose === "files") return isFile ? undefined : "it is not a file input";
  if (purpose === "type" && !isTypable(element)) {
    if (isFile) return "it takes files: use upload";
    if (dom.isSelect(element)) return "it is a select, use kind select with values";
    return isCheckable(element)
      ? "it takes true or false, use fill or click"
      : "it does not take text";
  }
  if (purpose === "select" && !dom.isSelect(element)) {
    return "it is not a <select>: click it, then click the option";
  }
  if (purpose === "check" && !isCheckable(element)) return "it cannot be checked";
  return undefined;
}

export function isTypable(element: Element): boolean {
  if (dom.isTextArea(element)) return true;
  if (dom.isInput(element)) return TYPED_TYPES.has(element.type);
  return element instanceof HTMLElement && dom.isEditable(element);
}

export function isCheckable(element: Element): boolean {
  const field = fieldOf(element);
  if (dom.isInput(field)) return ["checkbox", "radio"].includes(field.type);
  return CHECKABLE_ROLES.has(dom.attributeOf(element, "role") ?? "");
}

function bringIntoView(element: Element, target: Element): void {
  const [box] = boxesOf(target);
  const isInside =
    box && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  // A scrolling box may hide it inside the viewport.
  if (!isInside || !findPoint(element, target).point) scrollTo(target, "center");
}

function scrollTo(element: Element, block: ScrollLogicalPosition): void {
  dom.scrollToElement(element, { block, inline: "center", behavior: "instant" });
}

function findWithScrolling(element: Element, target: Element): Hit {
  const first = findPoint(element, target);
  if (first.point) return first;
  for (const place of OTHER_PLACES) {
    scrollTo(target, place);
    const hit = findPoint(element, target);
    if (hit.point) return hit;
  }
  scrollTo(target, "center");
  return findPoint(element, target);
}

function middleOf(element: Element): Point {
  const [box] = boxesOf(element);
  if (!box) return { x: 0, y: 0 };
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function toGood(element: Element, point: Point): CheckGood {
  const type = dom.isInput(element) ? element.type : null;
  return { isGood: true, ...point, tag: dom.tagOf(element), type };
}

export function namedRow(element: Element, row: Row): Row {
  const said = ["id", "class"].map((name) => dom.attributeOf(element, name) ?? "");
  const shown = said.find(Boolean) ?? squeeze(dom.textOf(element) ?? "");
  return row[3] ? row : withPart(row, 3, shown.slice(0, MAX_COVER_CHARS));
}

function toBad(
  fault: Fault,
  { asks, refs }: { readonly asks: CheckOperation; readonly refs: RefLookUp },
): CheckBad {
  const isStale = fault.why === "detached" || fault.why === "changed" || fault.why === "unknown";
  const by = fault.by && namedRow(fault.by, refs.rowOf(fault.by));
  const near = isStale ? refs.near(asks.ref) : { near: [] };
  return {
    isGood: false,
    why: fault.why,
    ...(by && { by }),
    ...(fault.hint && { hint: fault.hint }),
    ...near,
    nextRef: refs.nextRef(),
  };
}

export function has({ texts, selector }: Asks<"has">): Answers<"has"> {
  const seen = texts.length > 0 ? fold(seenText(document)) : "";
  const found = selector === undefined ? true : hasMatch(document, selector);
  return {
    texts: texts.map((text) => seen.includes(fold(text))),
    selector: found === true,
    isSelectorWrong: found === undefined,
  };
}

/** Includes open shadow roots, which `innerText` leaves out. */
function seenText(root: Document | ShadowRoot): string {
  const own =
    root instanceof Document
      ? dom.innerTextOf(dom.page.body())
      : [...root.children].map(dom.innerTextOf).join("\n");
  return [own, ...shadowRootsOf(root).map(seenText)].join("\n");
}

function hasMatch(root: Document | ShadowRoot, selector: string): boolean | undefined {
  try {
    if ([...dom.tree.findAll(root, selector)].some(isVisible)) return true;
  } catch {
    return undefined;
  }
  return shadowRootsOf(root).some((inner) => hasMatch(inner, selector));
}

function shadowRootsOf(root: Document | ShadowRoot): readonly ShadowRoot[] {
  return [...dom.tree.findAll(root, "*")].flatMap((element) => dom.shadowOf(element) ?? []);
}

function fold(text: string): string {
  return squeeze(text).toLowerCase();
}
