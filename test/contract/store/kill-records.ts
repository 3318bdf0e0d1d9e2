// The records of the kill test: their content follows from their step, so that a part of one, or a
// mixture of two, is seen.

const MIN_BYTES = 200;
const PRIME = 7_919;

export interface VictimPlan {
  readonly first: number;
  /** The largest record; sizes lie between 200 bytes and this. */
  readonly maxBytes: number;
}

export function recordOf({ step, plan }: { readonly step: number; readonly plan: VictimPlan }) {
  const share = ((step * PRIME) % 1_000) / 1_000;
  // Most are small, as in life.
  const bytes = Math.floor(MIN_BYTES + share ** 4 * (plan.maxBytes - MIN_BYTES));
  const stamp = `${step};`;
  return { step, part: 1, text: stamp.repeat(Math.ceil(bytes / stamp.length)) };
}
