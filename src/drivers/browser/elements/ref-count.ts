// One count of refs for all tabs of a browser: no number is given twice, whatever becomes of the tab it
// was given in, and of each it is known which tab that was.

export interface RefCount {
  /** The next number, given in this tab. */
  next(targetId: string): number;
  /** undefined: it was never given. */
  tabOf(ref: number): string | undefined;
}

interface Run {
  readonly from: number;
  readonly targetId: string;
}

export function createRefCount(): RefCount {
  /** In ascending order; one ends where the next begins. */
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
