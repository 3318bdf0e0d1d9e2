// The numbers that the documents of one tab give their elements, and the refs by which these are reported:
// the latter are counted over all tabs.

import { formatRef } from "./ref-spelling.js";

/** Of those reported the oldest are forgotten; an element that is reported again then has another ref. */
const MAX_NAMES = 200_000;

/** The count over all tabs, as one tab sees it. */
export interface RefSource {
  next(): number;
  /** Where it was given; undefined: nowhere. */
  tabOf(ref: number): RefTab | undefined;
}

export interface RefTab {
  readonly targetId: string;
  readonly isThisOne: boolean;
  readonly isOpen: boolean;
}

export interface RefNames {
  /** `e12`; the first time it is asked for, a number of the count goes to it. */
  nameOf(number: number): string;
  /** undefined: this ref was not given by the page that is there. */
  numberOf(ref: number): number | undefined;
}

export function createRefNames({ next }: Pick<RefSource, "next">): RefNames {
  const refs = new Map<number, number>();
  const numbers = new Map<number, number>();
  const forgetOldest = () => {
    for (const [number, ref] of refs) {
      refs.delete(number);
      numbers.delete(ref);
      return;
    }
  };
  return {
    nameOf: (number) => {
      let ref = refs.get(number);
      if (ref === undefined) {
        ref = next();
        refs.set(number, ref);
        numbers.set(ref, number);
        if (refs.size > MAX_NAMES) forgetOldest();
      }
      return formatRef(ref);
    },
    numberOf: (ref) => numbers.get(ref),
  };
}
