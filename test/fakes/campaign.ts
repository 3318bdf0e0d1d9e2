// For tests that run in two sizes: a seeded slice in `npm test`, in full in `npm run campaign`.
import { appendFileSync } from "node:fs";
import { it, type TestFunction } from "vitest";

const DEFAULT_SEED = 1;

export interface CampaignRow {
  /** The title of the test that reports, so that the page can join size and result. */
  readonly title: string;
  readonly size: number;
  readonly detail?: string;
}

export function campaignSize(sizes: { readonly slice: number; readonly campaign: number }): number {
  return process.env.CLAWTOOLS_CAMPAIGN === "1" ? sizes.campaign : sizes.slice;
}

/** Every `step`-th row of a long table, and all of them in a campaign. */
export function sampleRows<Row>(rows: readonly Row[], step: number): Row[] {
  const every = campaignSize({ slice: step, campaign: 1 });
  return rows.filter((_, index) => index % every === 0);
}

/** A test of a rare case, for campaigns only; `npm test` has shorter ones of the same subject. */
export function itLong(title: string, run: TestFunction): void {
  if (process.env.CLAWTOOLS_CAMPAIGN === "1") it(title, run);
}

/** The same in every run unless CLAWTOOLS_CAMPAIGN_SEED asks for another. */
export function campaignSeed(): number {
  const text = process.env.CLAWTOOLS_CAMPAIGN_SEED;
  if (text === undefined) return DEFAULT_SEED;
  const seed = Number(text);
  if (!Number.isInteger(seed)) throw new Error(`CLAWTOOLS_CAMPAIGN_SEED is no integer: "${text}"`);
  return seed;
}

/** Numbers in [0, 1) by the mulberry32 rule: equal seeds give equal sequences. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Hands a row to the campaign script; outside of a campaign nobody asks for it. */
export function reportCampaign(row: CampaignRow): void {
  const file = process.env.CLAWTOOLS_CAMPAIGN_REPORT;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
}
