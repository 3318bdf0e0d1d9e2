// Binds elements of equal role and name to the content of their items, so that a ref is refused when
// the page writes another item into the same nodes.

import { remember } from "../collect.js";
import { type Look, lookAt } from "../look.js";
import type { Namesakes } from "../refs/namesakes.js";
import { isConnected } from "../tree/clobbered.js";
import { isIn } from "../tree/cursor.js";
import { type Content, type Contents, createContents, type TypedValues } from "./content.js";
import { openPlace, type Place, type Shape } from "./place.js";
import { hasSameNaming, isTurnedOver, type Span, textOfAll } from "./same-item.js";
import type { Siblings } from "./siblings.js";
import { maskedText, type Ticks } from "./ticks.js";

const MAX_NEAR = 20;

/** All elements of one role and name at one moment. */
export interface Duplicates {
  readonly members: readonly WeakRef<Element>[];
  readonly fulls: ReadonlySet<number>;
}

export interface Binding {
  readonly duplicates: Duplicates;
  readonly item: WeakRef<Element>;
  readonly shape: Shape;
  /** Without the additions of `isDeep`. */
  readonly base: number;
  readonly full: number;
  /** The visible words, if some are hidden and contents are equal. */
  readonly shown: string;
  readonly moment: number;
}

export interface ItemLook {
  readonly look: Look;
  readonly memory: ItemMemory;
  readonly contents: Contents;
  readonly siblings: Map<Element, Siblings>;
  readonly places: Map<Duplicates, PlaceNow>;
  moment(): number;
  /** The items as they were then, apart from changes that are not ticks. */
  at(moment: number): ItemLook;
  masked(): ItemLook;
}

export interface ItemMemory {
  readonly typed: TypedValues;
  readonly ticks: Ticks;
  readonly namesakes: Namesakes;
}

interface PlaceNow {
  readonly place: Place;
  items?: ReadonlyMap<Element, Content>;
  /** The owner of each content; null: several. */
  readonly owners: Map<string, ReadonlyMap<number, Element | null>>;
}

export function createItemLook(look: Look, memory: ItemMemory): ItemLook {
  const { typed, ticks } = memory;
  const contents = createContents(look, typed);
  const before = new Map<number, ItemLook>();
  let masked: ItemLook | undefined;
  let marked: number | undefined;
  return {
    look,
    memory,
    contents,
    siblings: new Map(),
    places: new Map(),
    moment: () => {
      marked ??= ticks.mark();
      return marked;
    },
    at: (moment) =>
      remember(before, moment, () => createItemLook(lookAt(look, ticks.textAt(moment)), memory)),
    masked: () => {
      masked ??= createItemLook(lookAt(look, maskedText), memory);
      return masked;
    },
  };
}

export interface BindOptions {
  readonly items: ItemLook;
  readonly members: readonly Element[];
  /** The members to bind; the others are bound already. */
  readonly wanted: readonly Element[];
  readonly otherBases: readonly number[];
  readonly refTo: (element: Element) => WeakRef<Element>;
  readonly found: Map<Element, Binding>;
  readonly isHollow: boolean;
}

interface Drafted {
  readonly element: Element;
  readonly item: Element;
  shape: Shape;
  readonly base: number;
  content: Content;
}

export function bindDuplicates(options: BindOptions): void {
  const { items, members, otherBases, refTo, found } = options;
  const { contents, siblings } = items;
  const place = openPlace({ contents, siblings, members });
  const drafts = draft(place, options);
  const fulls = new Set(otherBases);
  const shared = new Set<number>();
  for (const { base } of drafts) (fulls.has(base) ? shared : fulls).add(base);
  for (const one of drafts) {
    const isTitle = place.isRegion(one.item);
    if (!isTitle && !shared.has(one.base)) continue;
    one.shape = isTitle ? { ...one.shape, isTitle } : { ...one.shape, isDeep: true };
    one.content = place.contentOf(one.element, one.item, one.shape);
  }
  const duplicates: Duplicates = { members: members.map(refTo), fulls };
  for (const { element, item, shape, base, content } of drafts) {
    found.set(element, {
      duplicates,
      item: refTo(item),
      shape,
      base,
      full: content.full,
      shown: shape.isDeep ? place.shownOf(item, shape) : "",
      moment: items.moment(),
    });
  }
}

function draft(place: Place, { wanted, isHollow }: BindOptions): readonly Drafted[] {
  const drafts: Drafted[] = [];
  const marks = place.marks();
  for (const element of wanted) {
    const item = marks.itemOf(element);
    if (!item) continue;
    const plain = place.shapeAt(item);
    const shape = isHollow ? { ...plain, isHollow } : plain;
    const content = place.contentOf(element, item, shape);
    drafts.push({ element, item, shape, base: content.full, content });
  }
  return drafts;
}

export function isSameBinding(before: Binding, now: Binding | undefined): boolean {
  const isEqual = before.full === now?.full && before.shown === now.shown;
  return isEqual && before.item === now.item && before.base === now.base;
}

export function isStillBound(items: ItemLook, element: Element, binding: Binding): boolean {
  const item = binding.item.deref();
  if (!item || !isIn(element, item)) return false;
  const at = placeOf(items, binding.duplicates);
  const now = at.place.contentOf(element, item, binding.shape);
  if (now.full !== binding.full && !hasTicked(items, { element, item, binding })) return false;
  const { shown, shape } = binding;
  if (shown && isTurnedOver(shown, at.place.shownOf(item, shape))) return false;
  return !binding.shape.isTitle || !isOfAnother(items, { element, item, binding });
}

/** A page region may have any content except that of another region. */
function isOfAnother(items: ItemLook, { element, item, binding }: Bound): boolean {
  const { duplicates, base, shape } = binding;
  const at = placeOf(items, duplicates);
  const now = at.place.contentOf(element, item, { ...shape, isTitle: false }).full;
  if (now === base) return false;
  if (duplicates.fulls.has(now)) return true;
  return [...readItems(at).values()].some(({ full }) => full === base);
}

export function spanOf(items: ItemLook, element: Element, binding: Binding): Span | undefined {
  const item = binding.item.deref();
  if (!item || !isIn(element, item)) return undefined;
  const { place } = placeOf(items, binding.duplicates);
  const { shape } = binding;
  return {
    item,
    nodes: place.nodesOf(item, shape),
    ...(shape.isHollow && { part: element }),
    others: place.nearTo(item, shape, MAX_NEAR).map((near) => place.nodesOf(near, shape)),
    depths: place.depthsOf(item, shape),
  };
}

/** The binding to the present content, unless that belongs to another item. */
export function adoptContent(items: ItemLook, element: Element, binding: Binding): Binding {
  const now = readNow(items, element, binding);
  if (!now || now.full === binding.full) return binding;
  const base = now.base();
  if (binding.duplicates.fulls.has(base)) return binding;
  const others = now.others();
  if (others.includes(binding.base) || others.includes(base)) return binding;
  return { ...binding, base, full: now.full, moment: items.moment() };
}

/** It has the content of another member, which no longer has it. */
export function isInOther(items: ItemLook, element: Element, binding?: Binding): boolean {
  const now = binding && readNow(items, element, binding);
  const base = now?.base();
  if (!now || base === undefined || base === binding.base) return false;
  return binding.duplicates.fulls.has(base) && !now.others().includes(base);
}

function readNow(items: ItemLook, element: Element, { item: node, shape, duplicates }: Binding) {
  const item = node.deref();
  if (!item || !isIn(element, item)) return undefined;
  const at = placeOf(items, duplicates);
  const read = (as: Shape) => at.place.contentOf(element, item, as).full;
  return {
    full: read(shape),
    base: () => read({ ...shape, isDeep: false, isTitle: false }),
    others: () => [...readItems(at)].flatMap(([each, { full }]) => (each === element ? [] : full)),
  };
}

function placeOf({ places, contents, siblings }: ItemLook, duplicates: Duplicates): PlaceNow {
  return remember(places, duplicates, () => {
    const members = duplicates.members.flatMap((member) => {
      const element = member.deref();
      return element && isConnected(element) ? [element] : [];
    });
    const place = openPlace({ contents, siblings, members });
    return { place, owners: new Map() };
  });
}

function readItems(at: PlaceNow): ReadonlyMap<Element, Content> {
  const { place } = at;
  at.items ??= new Map(
    place.members.flatMap((member) => {
      const item = place.marks().itemOf(member);
      if (!item) return [];
      return [[member, place.contentOf(member, item, place.shapeAt(item))] as const];
    }),
  );
  return at.items;
}

interface Bound {
  readonly element: Element;
  readonly item: Element;
  readonly binding: Binding;
}

/** Only ticking numbers changed, and without them no other item is equal. */
function hasTicked(items: ItemLook, { element, item, binding }: Bound): boolean {
  if (!items.memory.ticks.isAny()) return false;
  const { duplicates, shape } = binding;
  const then = items.at(binding.moment);
  const before = placeOf(then, duplicates).place.contentOf(element, item, shape);
  if (before.full !== binding.full) return false;
  const nodes = placeOf(items, duplicates).place.nodesOf(item, shape);
  const read = { nodes, part: shape.isHollow ? element : undefined };
  if (!hasSameNaming(textOfAll(then.contents, read), textOfAll(items.contents, read))) return false;
  const masked = placeOf(items.masked(), duplicates);
  const { full } = masked.place.contentOf(element, item, shape);
  const owner = ownersIn(masked, shape).get(full);
  return owner === undefined || owner === element;
}

function ownersIn({ place, owners }: PlaceNow, shape: Shape): ReadonlyMap<number, Element | null> {
  const { isDeep, isHollow } = shape;
  const key = `${isDeep} ${isHollow}`;
  const known = owners.get(key);
  if (known) return known;
  const found = new Map<number, Element | null>();
  owners.set(key, found);
  for (const member of place.members) {
    const item = place.marks().itemOf(member);
    if (!item) continue;
    const { full } = place.contentOf(member, item, { ...place.shapeAt(item), isDeep, isHollow });
    found.set(full, found.has(full) ? null : member);
  }
  return found;
}
