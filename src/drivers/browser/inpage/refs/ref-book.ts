// Which number names which element. Numbers are never reused; another name or item gets a new one.

import { remember } from "../collect.js";
import {
  adoptContent,
  type Binding,
  createItemLook,
  type ItemLook,
  type ItemMemory,
  spanOf,
} from "../duplicates/binding.js";
import { createTypedValues } from "../duplicates/content.js";
import type { Span } from "../duplicates/same-item.js";
import type { Ticks } from "../duplicates/ticks.js";
import type { Look } from "../look.js";
import { type Context, contextOf, contextSpan } from "../name/context.js";
import { nameNow, nameOf } from "../name/name-of.js";
import { roleOf } from "../roles.js";
import { isConnected } from "../tree/clobbered.js";
import { isSameCount, isStill, wholeOf } from "./is-still.js";
import { createNamesakes } from "./namesakes.js";
import {
  adoptSurroundings,
  keepHeading,
  readSurroundings,
  type Surroundings,
} from "./surroundings.js";
import { isSameField } from "./typed-field.js";

/** The oldest are forgotten first. */
const MAX_RECORDS = 100_000;
const DIGITS = /\d+/gu;

export interface Fingerprint {
  readonly role: string;
  readonly name: string;
  readonly binding?: Binding | undefined;
  /** The heading before it; undefined: not looked for. */
  readonly heading?: Element | null | undefined;
  readonly surroundings?: Surroundings | undefined;
}

export interface RefRecord {
  readonly ref: number;
  readonly node: WeakRef<Element>;
  readonly role: string;
  name: string;
  /** Hash of the full text of a long name; else 0. */
  readonly whole: number;
  binding: Binding | undefined;
  context: Context | undefined;
  surroundings: Surroundings | undefined;
  moment: number;
  /** The last listing that had it; 0: none. */
  listedAt: number;
  firstAt: number;
  lastAt: number;
}

export type Found =
  | { readonly element: Element; readonly why?: undefined }
  | { readonly element: Element | undefined; readonly why: "detached" | "changed" | "unknown" };

interface FindOptions {
  readonly known: RefRecord | undefined;
  readonly look: Look;
  readonly name?: string | undefined;
  readonly role?: string | undefined;
}

export type RefBook = ReturnType<typeof createRefBook>;

export function createRefBook(ticks: Ticks, lookNow: () => Look) {
  let byElement = new WeakMap<Element, RefRecord>();
  const byRef = new Map<number, RefRecord>();
  const recordFor = (element: Element) => byElement.get(element);
  const namesakes = createNamesakes(() => byRef.values(), recordFor);
  const memory: ItemMemory = { typed: createTypedValues(), ticks, namesakes };
  const nodes = new WeakMap<Element, WeakRef<Element>>();
  let next = 1;

  const refTo = (element: Element): WeakRef<Element> =>
    remember(nodes, element, () => new WeakRef(element));
  const assign = (items: ItemLook, element: Element, now: Fingerprint): RefRecord => {
    const { role, name, binding } = now;
    const context = binding ? undefined : contextOf(items.look, element);
    const known = byElement.get(element);
    const surroundings = readSurroundings(
      { look: items.look, element, item: binding?.item.deref() },
      now,
    );
    const { heading = null } = now;
    const read = { role, name, binding, heading, surroundings };
    if (known && isStill(items, element, { known, now: read })) {
      known.binding = binding;
      // Words added to a field label may disappear again.
      if (isSameCount(known.name, name)) {
        known.name = name;
        known.context = context;
      }
      known.surroundings = keepHeading(surroundings, known.surroundings);
      known.moment = items.moment();
      if (!byRef.has(known.ref)) byRef.set(known.ref, known);
      return known;
    }
    const node = refTo(element);
    const bound = { binding, context, surroundings, moment: items.moment() };
    const whole = wholeOf(items, element, name);
    const seen = { listedAt: 0, firstAt: 0, lastAt: 0 };
    const record: RefRecord = { ref: next, node, role, name, whole, ...bound, ...seen };
    next += 1;
    byElement.set(element, record);
    byRef.set(record.ref, record);
    const [oldest = 0] = byRef.keys();
    if (byRef.size > MAX_RECORDS) byRef.delete(oldest);
    return record;
  };
  const find = ({ known, look, name, role: given }: FindOptions): Found => {
    if (!known) return { element: undefined, why: "unknown" };
    const element = known.node.deref();
    if (!element || !isConnected(element)) {
      return { element: undefined, why: "detached" };
    }
    const role = given ?? roleOf(element);
    const now = { role, name: name ?? nameOf(look, element, role).text };
    return isStill(createItemLook(look, memory), element, { known, now })
      ? { element }
      : { element, why: "changed" };
  };
  const isField = (known: RefRecord, field: Element | undefined, lead?: string) =>
    !!field && isSameField(lookNow(), field, { before: known.name, lead, recordFor });
  return {
    ...memory,
    assign,
    refTo,
    recordOf: (ref: number) => byRef.get(ref),
    recordFor,
    records: (): Iterable<RefRecord> => byRef.values(),
    bindingOf: (element: Element) => byElement.get(element)?.binding,
    isHeld: (items: ItemLook, known: RefRecord) => {
      const element = known.node.deref();
      const { role, name } = known;
      return element !== undefined && isStill(items, element, { known, now: { role, name } });
    },
    spanOf: (items: ItemLook, { node, binding, context }: RefRecord): Span | undefined => {
      const element = node.deref();
      if (!element || !isConnected(element)) return undefined;
      if (binding) return spanOf(items, element, binding);
      return context?.mark == null ? undefined : contextSpan(items.look, element);
    },
    /** Accepts the changed item as the same one. */
    adopt: (items: ItemLook, known: RefRecord) => {
      const element = known.node.deref();
      if (!element || !isConnected(element)) return;
      if (known.binding) known.binding = adoptContent(items, element, known.binding);
      else {
        known.context = contextOf(items.look, element);
        known.moment = items.moment();
      }
    },
    /** Accepts surroundings that our act changed. */
    adoptSurroundings: (
      { look }: ItemLook,
      { record, isMoved }: { readonly record: RefRecord; readonly isMoved: boolean },
    ) => {
      const element = record.node.deref();
      if (!element || !record.surroundings) return;
      const item = record.binding?.item.deref();
      record.surroundings = adoptSurroundings(
        { look, element, item, isMoved },
        record.surroundings,
      );
    },
    /** The binding, if it still holds. */
    heldBinding: (items: ItemLook, element: Element, now: Fingerprint) => {
      const known = byElement.get(element);
      // The heading has not been looked for yet.
      const { heading = null } = now;
      const isHeld = known?.binding && isStill(items, element, { known, now: { ...now, heading } });
      return isHeld ? known.binding : undefined;
    },
    lookUp: (ref: number) => find({ known: byRef.get(ref), look: lookNow() }),
    /** During an act: ignores the name and the heading. */
    lookUpPlace: (ref: number) => {
      const known = byRef.get(ref);
      const { name } = known ?? {};
      return find({ known: known && withoutHeading(known), look: lookNow(), name });
    },
    /** For the focused field, whose name may change. */
    lookUpField: (ref: number): Found => {
      const known = byRef.get(ref);
      const look = lookNow();
      const found = find({ known, look });
      if (!known || found.why !== "changed" || look.active !== found.element) return found;
      return isField(known, found.element) ? find({ ...known, known, look }) : found;
    },
    /** Same role and name apart from numbers, or same field lead. */
    isNamed: (ref: number, lead?: string) => {
      const known = byRef.get(ref);
      const element = known?.node.deref();
      if (!known || !element || !isConnected(element)) return false;
      const name = nameNow(lookNow(), element).replace(DIGITS, "");
      const isSame = roleOf(element) === known.role && name === known.name.replace(DIGITS, "");
      return isSame || isField(known, element, lead);
    },
    nextRef: () => next,
    renew: () => {
      byElement = new WeakMap();
      byRef.clear();
    },
    /** Other documents of the tab have taken numbers. */
    skipTo: (firstRef: number) => {
      next = Math.max(next, firstRef);
    },
  };
}

/** Ignores the heading. */
export function withoutHeading(known: RefRecord): RefRecord {
  const { surroundings } = known;
  return { ...known, surroundings: surroundings && { ...surroundings, heading: undefined } };
}
