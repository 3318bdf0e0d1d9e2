// The surroundings of an element: names of dialogs and forms, and the heading before it. When they
// change, the element means something else.

import { remember } from "../collect.js";
import { hasSameNaming } from "../duplicates/same-item.js";
import { groupWords } from "../duplicates/tables.js";
import { type Ticks, withoutNumbers } from "../duplicates/ticks.js";
import type { Look } from "../look.js";
import { isDayName, labelsAround, monthShown } from "../name/around.js";
import { itemText } from "../name/context.js";
import { nameOf } from "../name/name-of.js";
import { APART_ROLES, CLOSED_ROLES, HEADED_ROLES, roleOf } from "../roles.js";
import { levelOf } from "../row/states.js";
import * as dom from "../tree/clobbered.js";
import { eachNode, isIn, parentElementOf } from "../tree/cursor.js";
import type { Counts } from "./is-still.js";
import { DRAWN } from "./namesakes.js";

const MAX_LEVEL = 9;
const HIDDEN = "[aria-hidden=true]";
const WORD = /\p{L}[\p{L}\p{M}]*/gu;

export interface Surroundings {
  readonly labels: string;
  readonly month: string;
  readonly heading: Heading | undefined;
}

export interface Heading {
  readonly node: WeakRef<Element>;
  readonly text: string;
  /** 0: in a shadow root, where no other heading is looked for. */
  readonly level: number;
}

interface At {
  readonly look: Look;
  readonly element: Element;
}

/** `item`: the row that distinguishes it from others of its name. */
interface Standing extends At {
  readonly item: Element | undefined;
}

export function readSurroundings(
  at: Standing,
  { name, heading }: { readonly name: string; readonly heading?: Element | null | undefined },
): Surroundings {
  const { look, element } = at;
  const month = isDayName(name) ? monthShown(look, element) : "";
  return { labels: labelsOf(at), month, heading: readHeading(look, ofItem(at, heading)) };
}

export function isEqual(before: Surroundings, now: Surroundings | undefined): boolean {
  if (before.labels !== now?.labels || before.month !== now.month) return false;
  const [old, fresh] = [before.heading, now.heading];
  return old?.text === fresh?.text && old?.node.deref() === fresh?.node.deref();
}

/** The content of the item is compared elsewhere, so only its surroundings count. */
function labelsOf({ look, element, item }: Standing): string {
  const labels = labelsAround(look, item ?? element);
  const group = item && groupWords(look, item);
  return group ? `${group} ${labels}` : labels;
}

/** A heading inside the list does not count. */
function ofItem<Before extends Element | null | undefined>(
  { item }: Pick<Standing, "item">,
  heading: Before,
): Before | null {
  const list = item && parentElementOf(item);
  return list && heading && dom.isAround(list, heading) ? null : heading;
}

function readHeading(look: Look, node: Element | null | undefined): Heading | undefined {
  if (!node) return undefined;
  return remember(look.headingsRead, node, () => ({
    node: new WeakRef(node),
    text: isListed(look, node) ? itemText(look, node) : "",
    level: dom.rootOf(node) === document ? levelOf(node) : 0,
  }));
}

/** Without a new heading, the old one counts. */
export function keepHeading(
  now: Surroundings | undefined,
  before: Surroundings | undefined,
): Surroundings | undefined {
  return now && !now.heading && before?.heading ? { ...now, heading: before.heading } : now;
}

export function adoptSurroundings(
  at: Standing & { readonly isMoved: boolean },
  { labels: before, month, heading }: Surroundings,
): Surroundings {
  const { look, element, isMoved } = at;
  const labels = labelsOf(at) || before;
  const other = isMoved && heading?.level ? lastBefore(look, element, MAX_LEVEL) : undefined;
  const now = other ?? heading?.node.deref();
  const read = now && dom.isConnected(now) ? readHeading(look, now) : undefined;
  return { labels, month, heading: read?.text ? read : heading };
}

/** `found`: the heading before it; null: none; undefined: not looked for. */
export function isSurrounded(
  at: Standing & {
    readonly ticks: Ticks;
    readonly counts: () => Counts;
    readonly found: Element | null | undefined;
  },
  { labels, month, heading }: Surroundings,
): boolean {
  const { look, item, counts } = at;
  const element = item ?? at.element;
  const found = ofItem(at, at.found);
  if (month !== "" && month !== monthShown(look, at.element)) return false;
  const isOfList = (before: string, now: string) => item !== undefined && isSameTitle(before, now);
  const around = labelsOf(at);
  const isOther = labels !== "" && labels !== around && !isOfList(labels, around);
  if (isOther && !counts().areLabels({ before: labels, now: around })) return false;
  if (!heading?.text) return true;
  const { text, level } = heading;
  const node = heading.node.deref();
  const before = node && dom.isConnected(node) ? node : undefined;
  const isSame = (each: Element) => {
    const now = itemText(look, each);
    if (now === text || isOfList(text, now) || isTurning({ ...at, element }, each, text))
      return true;
    // A hidden old heading is another one than that shown now.
    return counts().isHeading({ before: text, now, own: before ? [each] : [each, node] });
  };
  // A collected heading looks like one that was not looked for.
  const isFound = node !== undefined && found === node;
  if (!level || found === null || isFound) return !before || isSame(before);
  const isThere = before && readHeading(look, before)?.text;
  if (isThere && !isSame(before)) return false;
  const now = lastBefore(look, element, isThere ? level : MAX_LEVEL);
  if (!now || now === before) return true;
  // A heading of a higher level, or elsewhere, did not replace it.
  return (
    (isThere ? !dom.isBefore(before, now) : levelOf(now) < level) || isSame(now) || isShow(at, now)
  );
}

/** A slide show around the heading, but not around the element. */
function isShow(
  { ticks, element }: { readonly ticks: Ticks; readonly element: Element },
  heading: Element,
): boolean {
  if (isBeside(element, heading)) return false;
  for (
    let at: Element | null = heading;
    at && !dom.isAround(at, element);
    at = parentElementOf(at)
  ) {
    if (ticks.isTurning(at)) return true;
  }
  return false;
}

function lastBefore(look: Look, element: Element, maxLevel: number): Element | undefined {
  const isWanted = (each: Element) => levelOf(each) <= maxLevel && !!readHeading(look, each)?.text;
  return headingBefore(look, element, isWanted);
}

/** A slide show changes titles, but not numbers that name a thing. */
function isTurning(
  { look, ticks, element }: At & { readonly ticks: Ticks },
  heading: Element,
  text: string,
): boolean {
  const now = itemText(look, heading);
  if (!hasSameNaming(text, now)) return false;
  if (isBeside(element, heading) && withoutNumbers(text) !== withoutNumbers(now)) return false;
  let isAny = false;
  eachNode(heading, (node) => {
    isAny ||= ticks.isTurning(node);
    return isAny ? undefined : true;
  });
  return isAny;
}

function isBeside(element: Element, heading: Element): boolean {
  const parent = parentElementOf(heading);
  return parent !== null && isIn(element, parent);
}

/** undefined: no heading counts. */
function headingBefore(
  look: Look,
  element: Element,
  isWanted: (heading: Element) => boolean,
): Element | undefined {
  const all = look.headings();
  let from = element;
  for (let root = dom.rootOf(from); dom.isShadowRoot(root); root = dom.rootOf(from))
    from = root.host;
  const apart = enclosing(element, (role) => APART_ROLES.has(role));
  const lastBefore = (other: Element) => all.findLastIndex((each) => dom.isBefore(each, other));
  let at = lastBefore(from);
  for (let heading = all[at]; heading; heading = all[at]) {
    if (apart && !dom.isAround(apart, heading)) return undefined;
    const isEnd = (role: string, each: Element) =>
      HEADED_ROLES.has(role) && !dom.isAround(each, from);
    const closed = enclosing(heading, isEnd);
    if (!closed && isWanted(heading)) return heading;
    at = closed ? lastBefore(closed) : at - 1;
  }
  return undefined;
}

/** Visible, and not part of the name of something around it. */
function isListed(look: Look, heading: Element): boolean {
  if (
    !dom.isDrawn(heading, DRAWN) ||
    dom.closestOf(heading, HIDDEN) ||
    roleOf(heading) !== "heading"
  ) {
    return false;
  }
  const isTold = (role: string, each: Element) =>
    CLOSED_ROLES.has(role) || (role !== "generic" && nameOf(look, each, role).isContent);
  return !enclosing(heading, isTold);
}

function enclosing(
  element: Element,
  isOne: (role: string, each: Element) => boolean,
): Element | null {
  let at = parentElementOf(element);
  while (at && !isOne(roleOf(at), at)) at = parentElementOf(at);
  return at;
}

function isSameTitle(before: string, now: string): boolean {
  if (before === now) return true;
  if (!hasSameNaming(before, now)) return false;
  const words = new Set(now.toLowerCase().match(WORD));
  const isKept = (word: string) =>
    words.has(word) ||
    words.has(`${word}s`) ||
    (word.endsWith("s") && words.has(word.slice(0, -1)));
  return (before.toLowerCase().match(WORD) ?? []).every(isKept);
}
