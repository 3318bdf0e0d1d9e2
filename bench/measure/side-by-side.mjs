// Times two or more functions in one process, in turns, so that noise falls on all alike.

import { sized } from "./size.mjs";

const WARM_UP_ROUNDS = 3;

/** Median and minimum nanoseconds of one call of each function. */
export function timeSideBySide(works, { rounds = 25, callsPerRound = 1000 } = {}) {
  const samples = works.map(() => []);
  const [calls, warmUp] = [sized(callsPerRound), sized(WARM_UP_ROUNDS, 0)];
  for (let round = 0; round < sized(rounds) + warmUp; round++) {
    for (const [index, work] of works.entries()) {
      const start = process.hrtime.bigint();
      for (let call = 0; call < calls; call++) work();
      const spent = Number(process.hrtime.bigint() - start) / calls;
      if (round >= warmUp) samples[index].push(spent);
    }
  }
  return samples.map(summarize);
}

export function summarize(samples) {
  const sorted = [...samples].sort((left, right) => left - right);
  return { median: sorted[Math.floor(sorted.length / 2)], minimum: sorted[0] };
}

function formatNanoseconds(nanoseconds) {
  if (nanoseconds < 1e3) return `${nanoseconds.toFixed(0)} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(1)} us`;
  return `${(nanoseconds / 1e6).toFixed(1)} ms`;
}

/** A row of the table: the ratio is that of the medians. Without `maxRatio` it only stands beside. */
export function toRow({ id, work, raw, ours, maxRatio }) {
  const ratio = ours.median / raw.median;
  return {
    id,
    work,
    raw: formatNanoseconds(raw.median),
    ours: formatNanoseconds(ours.median),
    ratio: `${ratio.toFixed(2)}x`,
    target: maxRatio === undefined ? "-" : `<= ${maxRatio}x`,
    met: maxRatio === undefined ? undefined : ratio <= maxRatio,
  };
}
