// Elements whose names differ only in a part that is ignored: then that part counts.

import { addTo, remember } from "../collect.js";
import type { Look } from "../look.js";
import { nameOf } from "../name/name-of.js";
import { HEADINGS, roleOf } from "../roles.js";
import { isConnected, isDrawn, page } from "../tree/clobbered.js";
import type { RefRecord } from "./ref-book.js";

export const ACTED_ON =
  "a,button,input,select,textarea,summary,[role],[tabindex],[contenteditable]";
export const DRAWN = { visibilityProperty: true } as const;
const NAMED = `${ACTED_ON},${HEADINGS}`;

export interface Asked {
  readonly name: string;
  /** undefined: two elements of any role. */
  readonly role?: string | undefined;
  readonly own: readonly (Element | undefined)[];
  /** The part of a name that counts. Must be the same function for the same question. */
  readonly bare: (name: string) => string;
  readonly since: number;
}

export type Namesakes = ReturnType<typeof createNamesakes>;

interface Called {
  readonly role: string;
  /** undefined: garbage collected. */
  readonly element: Element | undefined;
  readonly lastAt: number;
}

type ByName = ReadonlyMap<string, readonly Called[]>;

export function createNamesakes(
  records: () => Iterable<RefRecord>,
  recordFor: (element: Element) => RefRecord | undefined,
) {
  const read = new WeakMap<Look, Map<Asked["bare"], ByName>>();
  const isLast = (record: RefRecord, element: Element | undefined) =>
    !element || recordFor(element) === record;
  const readAll = (look: Look, bare: Asked["bare"]): ByName => {
    const found = new Map<string, Called[]>();
    for (const record of records()) {
      const { role, name, lastAt } = record;
      const element = record.node.deref();
      if (isLast(record, element)) addTo(found, bare(name), { role, element, lastAt });
    }
    // A copy, so that the work limit for names is not used up.
    const apart = { ...look };
    for (const element of page.findAll(NAMED)) {
      const role = roleOf(element);
      const name = nameOf(apart, element, role).text;
      // Hidden duplicates do not count, such as menus for small screens.
      if (name !== recordFor(element)?.name && isDrawn(element, DRAWN)) {
        addTo(found, bare(name), { role, element, lastAt: 0 });
      }
    }
    return found;
  };
  return {
    has: (look: Look, { name, role, own, bare, since }: Asked) => {
      const known = remember(read, look, () => new Map<Asked["bare"], ByName>());
      const all = remember(known, bare, () => readAll(look, bare)).get(bare(name)) ?? [];
      const isOther = ({ element, lastAt }: Called) => {
        if (element && own.includes(element)) return false;
        return (element && isConnected(element)) || lastAt >= since;
      };
      if (role !== undefined) return all.some((each) => each.role === role && isOther(each));
      const others = all.filter(isOther);
      return others.some((each) =>
        others.some((other) => other.role === each.role && other.element !== each.element),
      );
    },
  };
}
