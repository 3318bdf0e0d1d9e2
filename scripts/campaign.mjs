// Runs the *.campaign.test.ts files at full size and the *.long.test.ts files, which `npm test` leaves
// out. Writes the size, duration and result of each campaign to docs/campaigns.md.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, type as kernelName } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatCampaignPage, joinCampaignRows, renewCampaignRows } from "./campaign/page.mjs";
import { runVitest } from "./check/steps.mjs";
import { formatSummary, readTestSummary } from "./check/test-summary.mjs";

const CAMPAIGN_SUFFIX = ".campaign.test.ts";
const LONG_SUFFIX = ".long.test.ts";
const TEST_LIMIT_MS = 60 * 60_000;

/** File names without their suffix; none given means all. */
const wanted = process.argv.slice(2);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reportFile = join(root, ".cache", `campaign-${process.pid}.json`);
const rowsFile = join(root, ".cache", `campaign-${process.pid}.jsonl`);

function readRows() {
  if (!existsSync(rowsFile)) return [];
  const lines = readFileSync(rowsFile, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** A run of all files makes the page anew, so that no row of a test that is gone stays. */
function publish() {
  const tests = JSON.parse(readFileSync(reportFile, "utf8"))
    .testResults.filter(({ name }) => name.endsWith(CAMPAIGN_SUFFIX))
    .flatMap(({ assertionResults }) => assertionResults);
  const date = new Date().toISOString().slice(0, 10);
  const rows = joinCampaignRows({ tests, reports: readRows(), date });
  const pageFile = join(root, "docs", "campaigns.md");
  const isPartial = wanted.length > 0 && existsSync(pageFile);
  const page = formatCampaignPage({
    nodeVersion: process.version,
    system: kernelName(),
    cores: availableParallelism(),
    rows: isPartial ? renewCampaignRows({ page: readFileSync(pageFile, "utf8"), rows }) : rows,
  });
  mkdirSync(dirname(pageFile), { recursive: true });
  writeFileSync(pageFile, page);
}

mkdirSync(dirname(reportFile), { recursive: true });
console.log("Running the campaigns in full; this takes long. Each file is named when it is done.");
try {
  const code = await runVitest({
    root,
    reportFile,
    filters: [
      ...(wanted.length > 0 ? wanted : [""]).flatMap((name) => [
        `${name}${CAMPAIGN_SUFFIX}`,
        `${name}${LONG_SUFFIX}`,
      ]),
      `--testTimeout=${TEST_LIMIT_MS}`,
    ],
    env: { ...process.env, CLAWTOOLS_CAMPAIGN: "1", CLAWTOOLS_CAMPAIGN_REPORT: rowsFile },
  });
  const summary = readTestSummary({ root, reportFile, code });
  if (existsSync(reportFile)) publish();
  if (summary.problem) console.log(summary.problem);
  console.log(formatSummary(summary));
  process.exitCode = summary.exitCode;
} finally {
  rmSync(reportFile, { force: true });
  rmSync(rowsFile, { force: true });
}
