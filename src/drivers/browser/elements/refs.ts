// Refs such as e12: one counter for all tabs of a browser.

/** The oldest are forgotten first. */
const MAX_NAMES = 200_000;

export interface RefSource {
  next(): number;
  tabOf(ref: number): RefTab | undefined;
}

export interface RefTab {
  readonly targetId: string;
  readonly isThisOne: boolean;
  readonly isOpen: boolean;
}

export type RefNames = ReturnType<typeof createRefNames>;

export function createRefNames({ next }: Pick<RefSource, "next">) {
  const refs = new Map<number, number>();
  const numbers = new Map<number, number>();
  const forgetOldest = () => {
    const [[number, ref] = [0, 0]] = refs;
    refs.delete(number);
    numbers.delete(ref);
  };
  return {
    nameOf: (number: number) => {
      let ref = refs.get(number);
      if (ref === undefined) {
        ref = next();
        refs.set(number, ref);
        numbers.set(ref, number);
        if (refs.size > MAX_NAMES) forgetOldest();
      }
      return formatRef(ref);
    },
    numberOf: (ref: number) => numbers.get(ref),
  };
}

export type RefCount = ReturnType<typeof createRefCount>;

interface Run {
  readonly from: number;
  readonly targetId: string;
}

export function createRefCount() {
  const runs: Run[] = [];
  let next = 1;
  return {
    next: (targetId: string) => {
      if (runs.at(-1)?.targetId !== targetId) runs.push({ from: next, targetId });
      next += 1;
      return next - 1;
    },
    tabOf: (ref: number) =>
      ref < next ? runs.findLast(({ from }) => from <= ref)?.targetId : undefined,
  };
}

const SPELLING = /^\[?\s*(?:ref\s*[=:]\s*)?["']?@?(?:f[0-9]+)?(?:e|ax)?([0-9]{1,9})["']?\s*\]?$/iu;

export function parseRef(text: string): number | undefined {
  const [, digits] = SPELLING.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export function formatRef(ref: number): string {
  return `e${ref}`;
}
