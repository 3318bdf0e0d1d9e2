// The items of elements of equal role and name at one moment, with their contents.

import { remember, words } from "../collect.js";
import { attributeOf, tagOf } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { type Content, type Contents, join, withMark } from "./content.js";
import { nearEqual } from "./same-item.js";
import {
  findGaps,
  type Gaps,
  type Marks,
  markDuplicates,
  readSiblings,
  type Siblings,
} from "./siblings.js";
import { createColumns } from "./tables.js";

/** Page regions are not list items, unless several stand side by side. */
const REGIONS = words("header footer nav main aside body");
const ALONE: Shape = {
  before: false,
  after: false,
  withLists: false,
  isDeep: false,
  isHollow: false,
  isTitle: false,
};
const NOTHING: readonly Content[] = [];

/** Which parts make up the content of an item. */
export interface Shape {
  /** Rows without an element: the siblings before or after belong to the item. */
  readonly before: boolean;
  readonly after: boolean;
  readonly withLists: boolean;
  /** Contents are equal: addresses and group headings count too. */
  readonly isDeep: boolean;
  /** Without the content of the member itself. */
  readonly isHollow: boolean;
  /** Only the title counts. */
  readonly isTitle: boolean;
}

export type Place = ReturnType<typeof openPlace>;

export interface PlaceOptions {
  readonly contents: Contents;
  readonly members: readonly Element[];
  readonly siblings: Map<Element, Siblings>;
}

export function openPlace({ contents, members, siblings }: PlaceOptions) {
  const siblingsIn = (parent: Element): Siblings =>
    remember(siblings, parent, () => readSiblings(contents, parent));
  const gaps = new Map<Element, Gaps>();
  const shapes = new Map<Element, Shape>();
  let known: Marks | undefined;
  const marks = () => {
    known ??= markDuplicates(members);
    return known;
  };
  const gapsIn = (parent: Element): Gaps =>
    remember(gaps, parent, () => findGaps(siblingsIn(parent), marks().partsOf(parent)));
  const shapeAt = (item: Element): Shape => {
    const parent = parentElementOf(item);
    return parent ? remember(shapes, parent, () => shapeOf(gapsIn(parent))) : ALONE;
  };
  const around: Around = { contents, marks, gapsIn, shapeAt };
  const columns = createColumns(contents);
  const headOf = (item: Element): Content => contents.said(columns.headOf(item) ?? "");
  const knownAbove = new Map<Element | null, readonly Content[]>();
  const aboveIn = (parent: Element | null): readonly Content[] =>
    remember(knownAbove, parent, () => aboveOf(around, parent));
  return {
    members,
    contents,
    marks,
    shapeAt,
    contentOf: (member: Element, item: Element, shape: Shape) => {
      if (shape.isTitle) return contents.titleOf(item);
      const own = shape.isHollow ? contents.around(member, item) : contents.of(item);
      const isFlat = shape.before || shape.after;
      const withSiblings = isFlat ? join([own, ...siblingContents(around, item, shape)]) : own;
      const all = join([withSiblings, headOf(item)]);
      if (!shape.isDeep) return all;
      const above = join([all, ...aboveIn(parentElementOf(item))]);
      return shape.isHollow ? above : withMark(above, contents.marksOf(item));
    },
    depthsOf: (item: Element, shape: Shape) => {
      const head = headOf(item);
      if (!shape.isDeep) return head.full;
      const above = join([head, ...aboveIn(parentElementOf(item))]);
      return shape.isHollow ? above.full : withMark(above, contents.marksOf(item)).full;
    },
    nodesOf: (item: Element, shape: Shape) => [item, ...siblingNodes(around, item, shape)],
    nearTo: (item: Element, shape: Shape, max: number) =>
      shape.before || shape.after ? nearParts(around, item, max) : nearEqual(item, max),
    isRegion: (item: Element) => isRegion(around, item),
    shownOf: (item: Element, shape: Shape) => {
      const nodes = [item, ...siblingNodes(around, item, shape)];
      const read = (text: (node: Node) => string) => nodes.map((node) => text(node)).join(" ");
      const shown = read(contents.shownIn);
      return shown === read(contents.textOf) ? "" : shown;
    },
  };
}

interface Around {
  readonly contents: Contents;
  readonly marks: () => Marks;
  readonly gapsIn: (parent: Element) => Gaps;
  readonly shapeAt: (item: Element) => Shape;
}

function shapeOf({ count, plain, lists }: Gaps): Shape {
  const isFull = (read: (at: number) => Content, from: number, to: number) => {
    for (let at = from; at < to; at += 1) if (read(at).isEmpty) return false;
    return count > 2;
  };
  const withLists = isFull(lists, 0, count - 1) || isFull(lists, 1, count);
  let isFlat = withLists;
  for (let at = 1; at < count - 1 && !isFlat; at += 1) isFlat = !plain(at).isEmpty;
  if (!isFlat) return ALONE;
  const read = withLists ? lists : plain;
  const before = isFull(read, 0, count - 1);
  const after = isFull(read, 1, count);
  return { ...ALONE, before: before || !after, after: after || !before, withLists };
}

function siblingContents({ gapsIn }: Around, item: Element, shape: Shape): readonly Content[] {
  const parent = parentElementOf(item);
  const gaps = parent && gapsIn(parent);
  const at = gaps?.placeOf(item);
  if (!gaps || at === undefined) return NOTHING;
  const reads = shape.withLists ? [gaps.plain, gaps.lists] : [gaps.plain];
  return reads.flatMap((read) => [
    ...(shape.before ? [read(at)] : []),
    ...(shape.after ? [read(at + 1)] : []),
  ]);
}

function siblingNodes({ gapsIn }: Around, item: Element, shape: Shape): readonly Node[] {
  const parent = parentElementOf(item);
  const gaps = parent && gapsIn(parent);
  const at = gaps?.placeOf(item);
  if (!gaps || at === undefined) return [];
  const places = [...(shape.before ? [at] : []), ...(shape.after ? [at + 1] : [])];
  const kinds = shape.withLists ? (["plain", "list"] as const) : (["plain"] as const);
  return kinds.flatMap((kind) => places.flatMap((place) => gaps.nodes(kind, place)));
}

function nearParts({ gapsIn }: Around, item: Element, max: number): readonly Element[] {
  const parent = parentElementOf(item);
  const parts = parent ? gapsIn(parent).parts : [];
  const at = parts.indexOf(item);
  const from = Math.max(0, at - Math.floor(max / 2));
  return parts.slice(from, from + max + 1).filter((part) => part !== item);
}

function aboveOf(around: Around, parent: Element | null): readonly Content[] {
  const found: Content[] = [];
  let group = parent;
  for (let at = group && parentElementOf(group); group && at; at = parentElementOf(at)) {
    if (around.marks().isShared(at) && around.gapsIn(at).parts.length > 1) {
      found.push(around.contents.labelOf(group), around.gapsIn(group).plain(0));
      found.push(...siblingContents(around, group, around.shapeAt(group)));
    }
    group = at;
  }
  return found;
}

function isRegion({ gapsIn }: Around, item: Element): boolean {
  if (attributeOf(item, "role") || !REGIONS.has(tagOf(item))) return false;
  const parent = parentElementOf(item);
  if (!parent) return true;
  const { parts } = gapsIn(parent);
  return !parts.some((other) => other !== item && tagOf(other) === tagOf(item));
}
