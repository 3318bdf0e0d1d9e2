// The time that comparing a token takes says nothing about where it differs. (SECURITY d2.)

import { describe, expect, it } from "vitest";
import { isSameSecret } from "../../src/lib/http/request-guard.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";

const TOKEN = "0123456789abcdef".repeat(4);
const FIRST = Buffer.from(`X${TOKEN.slice(1)}`);
const LAST = Buffer.from(`${TOKEN.slice(0, -1)}X`);
const MAX_DIFFERENCE_NS = 1_000;
/** The share of the slowest samples that is noise of the machine. */
const NOISE = 0.05;
/** Of the normal distribution, for p = 0.01. */
const MAX_Z = 2.576;
const SAMPLES = { slice: 20_000, campaign: 200_000 };

const TITLE =
  "a token that differs in its first byte takes as long as one that differs in its last";

function sample(bytes: Buffer): number {
  // A new text each time, as a header is: where one lies in memory is chance then.
  const given = bytes.toString("latin1");
  const start = process.hrtime.bigint();
  isSameSecret(given, TOKEN);
  return Number(process.hrtime.bigint() - start);
}

function summarize(all: number[]) {
  const sorted = all.sort((one, other) => one - other);
  const kept = sorted.slice(0, Math.floor(sorted.length * (1 - NOISE)));
  const mean = kept.reduce((sum, one) => sum + one, 0) / kept.length;
  const variance = kept.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (kept.length - 1);
  return { median: sorted[sorted.length >> 1] ?? 0, mean, error: variance / kept.length };
}

describe("comparing tokens", () => {
  it(TITLE, () => {
    const size = campaignSize(SAMPLES);
    const random = seededRandom(campaignSeed());
    const [first, last]: [number[], number[]] = [[], []];
    for (let round = 0; round < 2 * size; round++) {
      // By chance, and from one place in the code, so that both meet the same surroundings.
      const isFirst = random() < 0.5;
      const spent = sample(isFirst ? FIRST : LAST);
      (isFirst ? first : last).push(spent);
    }
    const [one, other] = [summarize(first), summarize(last)];
    const medianNs = Math.abs(one.median - other.median);
    const z = Math.abs(one.mean - other.mean) / Math.sqrt(one.error + other.error);
    expect(medianNs).toBeLessThan(MAX_DIFFERENCE_NS);
    // A test of means fails now and then by chance; with the small sample only the medians count.
    if (size === SAMPLES.campaign) expect(z).toBeLessThan(MAX_Z);
    reportCampaign({
      title: TITLE,
      size,
      detail: `medians differ by ${medianNs} ns, z ${z.toFixed(2)}`,
    });
  });
});
