// Times functions that are awaited, by turns, so that noise falls on all alike; and makes rows of the
// times, the best of all turns beside the median.

import { summarize } from "./side-by-side.mjs";
import { sized } from "./size.mjs";

const DEFAULT_WARM_UP_ROUNDS = 3;

/**
 * Median and minimum nanoseconds of one call of each. A work is called with a number that counts its
 * own calls. With `pauseMs` before each turn nobody pays for what another one does behind its answer.
 */
export async function timeByTurns(
  works,
  { rounds, callsPerRound = 1, warmUpRounds = DEFAULT_WARM_UP_ROUNDS, pauseMs = 0 },
) {
  const samples = works.map(() => []);
  const [calls, warmUp] = [sized(callsPerRound), sized(warmUpRounds, 0)];
  for (let round = 0; round < sized(rounds) + warmUp; round++) {
    for (const [index, work] of works.entries()) {
      if (pauseMs > 0) await new Promise((done) => setTimeout(done, sized(pauseMs, 0)));
      const start = process.hrtime.bigint();
      for (let call = 0; call < calls; call++) await work(round * calls + call);
      const spent = Number(process.hrtime.bigint() - start) / calls;
      if (round >= warmUp) samples[index].push(spent);
    }
  }
  return samples.map(summarize);
}

/** On a busy machine the best turns are the steadier figure, so they stand beside. */
export function toRowWithBest({ id, work, raw, ours, maxRatio }) {
  const ratio = ours.median / raw.median;
  const best = ours.minimum / raw.minimum;
  return {
    id,
    work,
    raw: formatTimes(raw),
    ours: formatTimes(ours),
    ratio: `${ratio.toFixed(2)}x, best ${best.toFixed(2)}x`,
    target: maxRatio === undefined ? "-" : `<= ${maxRatio}x`,
    met: maxRatio === undefined ? undefined : ratio <= maxRatio,
  };
}

function formatTimes({ median, minimum }) {
  return `${formatTime(median)}, best ${formatTime(minimum)}`;
}

function formatTime(nanoseconds) {
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(1)} us`;
  return `${(nanoseconds / 1e6).toFixed(2)} ms`;
}
