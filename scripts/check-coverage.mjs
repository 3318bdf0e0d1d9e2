// Measures which branches of the policy are reached by its property tests alone: what their cases do
// not reach, they do not prove. Fails below the minimum and says where the cases end.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPackageBin } from "./package-bin.mjs";

const MIN_BRANCH_PERCENT = 95;
const ROOM = "src/core/policy";
const TESTS = [
  "test/policy/policy.campaign.test.ts",
  "test/policy/policy-restore.campaign.test.ts",
];
const GENERATOR = "test/policy/random-policy.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reportFolder = join(root, ".cache", `coverage-${process.pid}`);

/** The tests in the size and with the seed of every run, so that the figure is the same each time. */
function runTests() {
  const {
    CLAWTOOLS_CAMPAIGN: _size,
    CLAWTOOLS_CAMPAIGN_SEED: _seed,
    CLAWTOOLS_CHECK: _check,
    ...env
  } = process.env;
  const args = [
    findPackageBin({ root, name: "vitest", command: "vitest" }),
    "run",
    ...TESTS,
    "--coverage",
    `--coverage.include=${ROOM}/**`,
    `--coverage.thresholds.branches=${MIN_BRANCH_PERCENT}`,
    "--coverage.reporter=text",
    "--coverage.reporter=json-summary",
    `--coverage.reportsDirectory=${reportFolder}`,
  ];
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" }).status ?? 1;
}

/** `undefined` when the tests failed before anything was measured. */
function readBranchPercent() {
  const file = join(reportFolder, "coverage-summary.json");
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, "utf8")).total.branches.pct;
}

function describeFailure(percent) {
  if (percent === undefined) {
    return `The property tests of the policy failed, so what they reach of ${ROOM} is unknown.`;
  }
  return [
    `The property tests of the policy reach ${percent} % of the branches of ${ROOM};`,
    `at least ${MIN_BRANCH_PERCENT} % are needed. The table above names the lines they miss:`,
    `let ${GENERATOR} make cases that go there, or take out the code that none can reach.`,
  ].join("\n");
}

try {
  const code = runTests();
  const percent = readBranchPercent();
  if (code !== 0) console.log(describeFailure(percent));
  else console.log(`${ROOM}: ${percent} % of the branches reached by its property tests`);
  process.exitCode = code;
} finally {
  rmSync(reportFolder, { recursive: true, force: true });
}
