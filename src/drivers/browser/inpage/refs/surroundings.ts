// What an element without others of its name is in: the names of the dialog, the form or the like,
// and the heading before it. When these say something else in the same places, it means something else.

import { isIn } from "../duplicates/binding.js";
import { eachNode } from "../duplicates/each-node.js";
import { hasSameNaming } from "../duplicates/naming.js";
import { type Ticks, withoutNumbers } from "../duplicates/ticks.js";
import type { Look } from "../look.js";
import { labelsAround } from "../name/around.js";
import { itemText } from "../name/context.js";
import { groupWords } from "../name/group-words.js";
import { isDayName, monthShown } from "../name/month-shown.js";
import { remember } from "../remember.js";
import { isAround, isBefore, isConnected, rootOf } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { headingBefore, isListed, levelOf } from "./heading-before.js";
import { isSameTitle } from "./same-title.js";
import type { Counts } from "./same-words.js";

const MAX_LEVEL = 9;

export interface Surroundings {
  readonly labels: string;
  /** Of a day in a calendar. */
  readonly month: string;
  readonly heading: Heading | undefined;
}

export interface Heading {
  readonly node: WeakRef<Element>;
  readonly text: string;
  /** 0: in a shadow root, where no other is looked for. */
  readonly level: number;
}

interface At {
  readonly look: Look;
  readonly element: Element;
}

/** `item`: of several of one name, the row or the like that tells it from them. */
export interface Standing extends At {
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

/** Read at two moments: most are, and nothing has to be looked for. */
export function isEqual(before: Surroundings, now: Surroundings | undefined): boolean {
  if (before.labels !== now?.labels || before.month !== now.month) return false;
  const [old, fresh] = [before.heading, now.heading];
  return old?.text === fresh?.text && old?.node.deref() === fresh?.node.deref();
}

/** What is in an item tells it from others, so only what is around that counts. */
function labelsOf({ look, element, item }: Standing): string {
  const labels = labelsAround(look, item ?? element);
  const group = item && groupWords(look, item);
  return group ? `${group} ${labels}` : labels;
}

/** One in an item says nothing of the others; null: no one looked for the one before all of them. */
function ofItem<Before extends Element | null | undefined>(
  { item }: Pick<Standing, "item">,
  heading: Before,
): Before | null {
  const list = item && parentElementOf(item);
  return list && heading && isAround(list, heading) ? null : heading;
}

function readHeading(look: Look, node: Element | null | undefined): Heading | undefined {
  if (!node) return undefined;
  return remember(look.headingsRead, node, () => ({
    node: new WeakRef(node),
    text: isListed(look, node) ? itemText(look, node) : "",
    level: rootOf(node) === document ? levelOf(node) : 0,
  }));
}

/** No one looked for the heading: the one from before counts. */
export function keepHeading(
  now: Surroundings | undefined,
  before: Surroundings | undefined,
): Surroundings | undefined {
  return now && !now.heading && before?.heading ? { ...now, heading: before.heading } : now;
}

/**
 * The heading says something else because of what was done to this very element, or that was moved.
 * Another element in the place of the heading is of another part.
 */
export function adoptSurroundings(
  at: Standing & { readonly isMoved: boolean },
  { labels: before, month, heading }: Surroundings,
): Surroundings {
  const { look, element, isMoved } = at;
  const labels = labelsOf(at) || before;
  const other = isMoved && heading?.level ? lastBefore(look, element, MAX_LEVEL) : undefined;
  const now = other ?? heading?.node.deref();
  const read = now && isConnected(now) ? readHeading(look, now) : undefined;
  return { labels, month, heading: read?.text ? read : heading };
}

/** `found`: the heading before it; null: no one looked, or there is none; undefined: to be looked for. */
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
  const before = node && isConnected(node) ? node : undefined;
  const isSame = (each: Element) => {
    const now = itemText(look, each);
    if (now === text || isOfList(text, now) || isTurning({ ...at, element }, each, text))
      return true;
    // One that is still there, though hidden, is another one than that which is shown now.
    return counts().isHeading({ before: text, now, own: before ? [each] : [each, node] });
  };
  // The browser may have collected it, and then it is as undefined as one that no one looked for.
  const isFound = node !== undefined && found === node;
  if (!level || found === null || isFound) return !before || isSame(before);
  const isThere = before && readHeading(look, before)?.text;
  if (isThere && !isSame(before)) return false;
  const now = lastBefore(look, element, isThere ? level : MAX_LEVEL);
  if (!now || now === before) return true;
  // One that is over it, or elsewhere than between the two, took no place.
  return (
    (isThere ? !isBefore(before, now) : levelOf(now) < level) || isSame(now) || isShow(at, now)
  );
}

/** What it is in, and the element does not, shows one after the other by itself. */
function isShow(
  { ticks, element }: { readonly ticks: Ticks; readonly element: Element },
  heading: Element,
): boolean {
  if (isBeside(element, heading)) return false;
  for (let at: Element | null = heading; at && !isAround(at, element); at = parentElementOf(at)) {
    if (ticks.isTurning(at)) return true;
  }
  return false;
}

function lastBefore(look: Look, element: Element, maxLevel: number): Element | undefined {
  const isWanted = (each: Element) => levelOf(each) <= maxLevel && !!readHeading(look, each)?.text;
  return headingBefore(look, element, isWanted);
}

/**
 * A show of pictures with titles, say: it does not say what is below it. What is in one box with the
 * title is of the show, there only numbers may turn; and what a number names never turns by itself.
 */
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
