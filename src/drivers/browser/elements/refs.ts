// Refs such as e12: one counter for all tabs of a browser, and the numbers that documents give elements.

/** Of those reported the oldest are forgotten; an element that is reported again then has another ref. */
const MAX_NAMES = 200_000;

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

export interface RefCount {
  next(targetId: string): number;
  /** undefined: it was never given. */
  tabOf(ref: number): string | undefined;
}

interface Run {
  readonly from: number;
  readonly targetId: string;
}

export function createRefCount(): RefCount {
  const runs: Run[] = [];
  let next = 1;
  return {
    next: (targetId) => {
      if (runs.at(-1)?.targetId !== targetId) runs.push({ from: next, targetId });
      next += 1;
      return next - 1;
    },
    tabOf: (ref) => (ref < next ? runs.findLast(({ from }) => from <= ref)?.targetId : undefined),
  };
}

const SPELLING = /^\[?\s*(?:ref\s*[=:]\s*)?["']?@?(?:f[0-9]+)?(?:e|ax)?([0-9]{1,9})["']?\s*\]?$/iu;

/** undefined for what is not a ref. */
export function parseRef(text: string): number | undefined {
  const [, digits] = SPELLING.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export function formatRef(ref: number): string {
  return `e${ref}`;
}
