// Which number names which element: bound to the node with its role, name and context. A number is
// never given again; another name or context gets another number.

import { createLook, type Look } from "../look.js";
import { type Context, contextOf, isSameContext } from "../name/context.js";
import { nameOf } from "../name/name-of.js";
import { roleOf } from "../role/role-of.js";

/** Of those that went away or have other names by now, the oldest are forgotten. */
const MAX_RECORDS = 100_000;

export interface Fingerprint {
  readonly role: string;
  readonly name: string;
  readonly context: Context;
}

export interface RefRecord extends Fingerprint {
  readonly ref: number;
  readonly node: WeakRef<Element>;
  /** Number of the listing that had it last; 0: none. */
  listedAt: number;
}

export interface RefBook {
  /** The number of this element as it is now. */
  assign(element: Element, now: Fingerprint): RefRecord;
  recordOf(ref: number): RefRecord | undefined;
  lookUp(ref: number): Found;
  nextRef(): number;
  /** The host knows which numbers other documents of the tab have taken. */
  skipTo(firstRef: number): void;
}

export type Found =
  | { readonly element: Element; readonly why?: undefined }
  | { readonly element: Element | undefined; readonly why: "detached" | "changed" | "unknown" };

export function createRefBook(): RefBook {
  const byElement = new WeakMap<Element, RefRecord>();
  const byRef = new Map<number, RefRecord>();
  let next = 1;

  const assign = (element: Element, now: Fingerprint): RefRecord => {
    const known = byElement.get(element);
    if (known && isSame(known, now)) {
      if (!byRef.has(known.ref)) byRef.set(known.ref, known);
      return known;
    }
    const record: RefRecord = { ...now, ref: next, node: new WeakRef(element), listedAt: 0 };
    next += 1;
    byElement.set(element, record);
    byRef.set(record.ref, record);
    if (byRef.size > MAX_RECORDS) forgetOldest(byRef);
    return record;
  };
  return {
    assign,
    recordOf: (ref) => byRef.get(ref),
    lookUp: (ref) => {
      const record = byRef.get(ref);
      if (!record) return { element: undefined, why: "unknown" };
      const element = record.node.deref();
      if (!element?.isConnected || element.ownerDocument !== document) {
        return { element: undefined, why: "detached" };
      }
      return isSame(record, fingerprintOf(createLook(), element))
        ? { element }
        : { element, why: "changed" };
    },
    nextRef: () => next,
    skipTo: (firstRef) => {
      next = Math.max(next, firstRef);
    },
  };
}

function fingerprintOf(look: Look, element: Element): Fingerprint {
  const role = roleOf(element);
  return { role, name: nameOf(look, element, role).text, context: contextOf(look, element) };
}

function isSame(before: Fingerprint, now: Fingerprint): boolean {
  return (
    before.role === now.role &&
    before.name === now.name &&
    isSameContext(before.context, now.context)
  );
}

function forgetOldest(byRef: Map<number, RefRecord>): void {
  for (const ref of byRef.keys()) {
    byRef.delete(ref);
    return;
  }
}
