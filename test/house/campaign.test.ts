// The frame of the campaigns: what tests use of it, and the page made from their reports.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type CampaignRow,
  campaignSeed,
  campaignSize,
  reportCampaign,
  seededRandom,
} from "../fakes/campaign.js";

interface PagePieces {
  joinCampaignRows(input: {
    tests: ReadonlyArray<{ title: string; fullName: string; duration: number; status: string }>;
    reports: readonly CampaignRow[];
    date: string;
  }): readonly unknown[];
  renewCampaignRows(input: { page: string; rows: readonly unknown[] }): readonly unknown[];
  formatCampaignPage(input: {
    nodeVersion: string;
    system: string;
    cores: number;
    rows: readonly unknown[];
  }): string;
}

const PAGE = new URL("../../scripts/campaign/page.mjs", import.meta.url).href;
// The scripts are plain JavaScript without declarations: this is the border where they get a type.
const { joinCampaignRows, renewCampaignRows, formatCampaignPage }: PagePieces = await import(PAGE);

afterEach(() => vi.unstubAllEnvs());

describe("campaign tests", () => {
  it("run in slice size unless a campaign is on", () => {
    vi.stubEnv("CLAWTOOLS_CAMPAIGN", undefined);
    expect(campaignSize({ slice: 10, campaign: 9_000 })).toBe(10);
    vi.stubEnv("CLAWTOOLS_CAMPAIGN", "1");
    expect(campaignSize({ slice: 10, campaign: 9_000 })).toBe(9_000);
  });

  it("have one seed in every run unless another is asked for", () => {
    vi.stubEnv("CLAWTOOLS_CAMPAIGN_SEED", undefined);
    expect(campaignSeed()).toBe(1);
    vi.stubEnv("CLAWTOOLS_CAMPAIGN_SEED", "77");
    expect(campaignSeed()).toBe(77);
    vi.stubEnv("CLAWTOOLS_CAMPAIGN_SEED", "soon");
    expect(() => campaignSeed()).toThrow('"soon"');
  });

  it("draw the same numbers from the same seed, spread over [0, 1)", () => {
    const draw = (seed: number) => Array.from({ length: 2_000 }, seededRandom(seed));
    const numbers = draw(1);
    expect(draw(1)).toEqual(numbers);
    expect(draw(2)).not.toEqual(numbers);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const tenths = new Set(numbers.map((number) => Math.floor(number * 10)));
    expect(tenths.size).toBe(10);
  });

  it("append their rows to the file of the campaign", () => {
    const folder = mkdtempSync(join(tmpdir(), "clawtools-campaign-"));
    const file = join(folder, "rows.jsonl");
    vi.stubEnv("CLAWTOOLS_CAMPAIGN_REPORT", file);
    reportCampaign({ title: "a", size: 1 });
    reportCampaign({ title: "b", size: 2, detail: "none lost" });
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    rmSync(folder, { recursive: true });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { title: "a", size: 1 },
      { title: "b", size: 2, detail: "none lost" },
    ]);
  });
});

describe("the campaign page", () => {
  const tests = [
    { title: "reads race", fullName: "fs reads race", duration: 61_250, status: "passed" },
    { title: "a | b", fullName: "a | b", duration: 5, status: "failed" },
  ];

  const machine = { nodeVersion: "v20.19.0", system: "Linux", cores: 2 };
  const reports = [{ title: "fs reads race", size: 550_000, detail: "0 leaks" }];
  const rows = joinCampaignRows({ tests, reports, date: "2026-01-02" });
  const page = formatCampaignPage({ ...machine, rows });

  it("has a row for each test that reports a size or fails", () => {
    const lines = page.split("\n");
    expect(lines).toContain("Node v20.19.0, Linux, 2 cores.");
    expect(lines).toContain("| fs reads race | 550,000 | 61.3 s | passed | 2026-01-02 | 0 leaks |");
    expect(lines).toContain("| a \\| b |  | 0.0 s | failed | 2026-01-02 |  |");
  });

  it("keeps the rows of campaigns that a later run left out, and renews the others", () => {
    const later = joinCampaignRows({
      tests: [
        { title: "a | b", fullName: "a | b", duration: 5, status: "passed" },
        { title: "new", fullName: "new", duration: 1_000, status: "passed" },
      ],
      reports: [{ title: "new", size: 9 }],
      date: "2026-02-03",
    });
    const renewed = formatCampaignPage({
      ...machine,
      rows: renewCampaignRows({ page, rows: later }),
    });
    expect(
      renewed
        .split("\n")
        .filter((line) => line.startsWith("| "))
        .slice(2),
    ).toEqual([
      "| fs reads race | 550,000 | 61.3 s | passed | 2026-01-02 | 0 leaks |",
      "| new | 9 | 1.0 s | passed | 2026-02-03 |  |",
    ]);
  });

  it("is refused when a report belongs to no test", () => {
    const stray = [{ title: "reads rece", size: 1 }];
    expect(() => joinCampaignRows({ tests, reports: stray, date: "2026-01-02" })).toThrow(
      '"reads rece"',
    );
  });
});
