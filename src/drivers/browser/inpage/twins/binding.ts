// Binds each of several elements of equal role and name to the content of its own item, so that its ref
// is refused when a page writes the content of another item into the same nodes.

import type { Look } from "../look.js";
import { isConnected } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { type Content, type Contents, createContents } from "./content.js";
import { openPlace, type Place, type Shape } from "./place.js";
import type { Span } from "./same-item.js";
import type { Siblings } from "./siblings.js";
import type { TypedValues } from "./typed-values.js";

/** With fewer of them to be bound than one in so many, not all that stands between them is read. */
const FEW = 8;
/** Items that one is compared with. */
const MAX_NEAR = 20;

/** All elements of one role and name, when they were read. */
export interface Twins {
  readonly members: readonly WeakRef<Element>[];
  readonly fulls: ReadonlySet<number>;
}

export interface Binding {
  readonly twins: Twins;
  readonly item: WeakRef<Element>;
  readonly shape: Shape;
  /** Without what `isDeep` adds. */
  readonly base: number;
  readonly full: number;
  /** undefined: others have the same. */
  readonly mild: number | undefined;
  readonly isRegion: boolean;
}

/** What is remembered of items while one question is answered. */
export interface ItemLook {
  readonly look: Look;
  readonly contents: Contents;
  readonly siblings: Map<Element, Siblings>;
  readonly places: Map<Twins, PlaceNow>;
}

interface PlaceNow {
  readonly place: Place;
  /** Read once it is asked for. */
  items?: ReadonlyMap<Element, Content>;
  byMild?: ReadonlyMap<number, readonly Element[]>;
}

export function createItemLook(look: Look, typed: TypedValues): ItemLook {
  const contents = createContents(look, typed);
  return { look, contents, siblings: new Map(), places: new Map() };
}

export interface BindOptions {
  readonly items: ItemLook;
  readonly members: readonly Element[];
  /** Those to be bound; the others have been, and had these contents. */
  readonly wanted: readonly Element[];
  readonly otherBases: readonly number[];
  readonly refTo: (element: Element) => WeakRef<Element>;
  readonly found: Map<Element, Binding>;
  /** What stands in them does not count. */
  readonly isHollow: boolean;
}

interface Drafted {
  readonly element: Element;
  readonly item: Element;
  shape: Shape;
  readonly base: number;
  content: Content;
}

export function bindTwins(options: BindOptions): void {
  const { items, members, wanted, otherBases, refTo, found } = options;
  const { contents, siblings } = items;
  const reads = wanted.length > members.length / FEW ? "all" : "some";
  const place = openPlace({ contents, siblings, members, reads });
  const drafts = draft(place, options);
  const fulls = new Set(otherBases);
  const shared = new Set<number>();
  for (const { base } of drafts) (fulls.has(base) ? shared : fulls).add(base);
  const milds = new Set<number>();
  const sharedMilds = new Set<number>();
  for (const one of drafts) {
    if (shared.has(one.base)) {
      one.shape = { ...one.shape, isDeep: true };
      one.content = place.contentOf(one.element, one.item, one.shape);
    } else (milds.has(one.content.mild) ? sharedMilds : milds).add(one.content.mild);
  }
  const twins: Twins = { members: members.map(refTo), fulls };
  for (const { element, item, shape, base, content } of drafts) {
    const { full, mild } = content;
    found.set(element, {
      twins,
      item: refTo(item),
      shape,
      base,
      full,
      mild: shape.isDeep || sharedMilds.has(mild) ? undefined : mild,
      isRegion: place.isRegion(item),
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

/** Read at two moments; the shapes are compared as part of what was read. */
export function isSameBinding(before: Binding, now: Binding | undefined): boolean {
  return before.full === now?.full && before.item === now.item && before.base === now.base;
}

/** Whether an element that was bound so still stands in what it stood in. */
export function isStillBound(items: ItemLook, element: Element, binding: Binding): boolean {
  const item = binding.item.deref();
  if (!item || !isIn(element, item)) return false;
  const at = placeOf(items, binding.twins);
  const now = at.place.contentOf(element, item, binding.shape);
  if (now.full === binding.full) return true;
  if (now.mild === binding.mild) return !isMildOfOthers(at, now.mild, element);
  if (!binding.isRegion || binding.twins.fulls.has(now.full)) return false;
  return ![...readItems(at).values()].some(({ full }) => full === binding.base);
}

export function spanOf(items: ItemLook, element: Element, binding: Binding): Span | undefined {
  const item = binding.item.deref();
  if (!item || !isIn(element, item)) return undefined;
  const { place } = placeOf(items, binding.twins);
  const { shape } = binding;
  return {
    item,
    nodes: place.nodesOf(item, shape),
    ...(shape.isHollow && { part: element }),
    others: place.nearTo(item, shape, MAX_NEAR).map((near) => place.nodesOf(near, shape)),
    depths: place.depthsOf(item, shape),
  };
}

/** The same binding to what stands there now; unchanged when that is of another item, or went to one. */
export function adoptContent(items: ItemLook, element: Element, binding: Binding): Binding {
  const item = binding.item.deref();
  if (!item || !isIn(element, item)) return binding;
  const { place } = placeOf(items, binding.twins);
  const { shape, twins } = binding;
  const now = place.contentOf(element, item, shape);
  if (now.full === binding.full) return binding;
  const base = place.contentOf(element, item, { ...shape, isDeep: false }).full;
  if (twins.fulls.has(base)) return binding;
  const others = [...readItems(placeOf(items, twins))].filter(([member]) => member !== element);
  if (others.some(([, { full }]) => full === binding.base || full === base)) return binding;
  return { ...binding, base, full: now.full, mild: binding.mild && now.mild };
}

function placeOf({ places, contents, siblings }: ItemLook, twins: Twins): PlaceNow {
  let known = places.get(twins);
  if (!known) {
    const members = twins.members.flatMap((member) => {
      const element = member.deref();
      return element && isConnected(element) ? [element] : [];
    });
    known = { place: openPlace({ contents, siblings, members, reads: "some" }) };
    places.set(twins, known);
  }
  return known;
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

function isMildOfOthers(at: PlaceNow, mild: number, element: Element): boolean {
  if (!at.byMild) {
    const byMild = new Map<number, Element[]>();
    for (const [member, content] of readItems(at)) {
      const others = byMild.get(content.mild);
      if (others) others.push(member);
      else byMild.set(content.mild, [member]);
    }
    at.byMild = byMild;
  }
  return at.byMild.get(mild)?.some((member) => member !== element) ?? false;
}

export function isIn(element: Element, item: Element): boolean {
  for (let at: Element | null = element; at; at = parentElementOf(at)) if (at === item) return true;
  return false;
}
