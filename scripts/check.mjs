// Every check of the project in one command: types, lint, unused code, house rules, the package as
// it would be published, tests, and what the property tests reach. A line when a step begins and one
// when it ends; the first failure stops the rest and gives its exit code.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatOutcome } from "./check/outcome.mjs";
import { runAll } from "./check/run-all.mjs";
import { listCoverageSteps, listPackageSteps, listSourceSteps, runVitest } from "./check/steps.mjs";
import { formatSummary, readTestSummary } from "./check/test-summary.mjs";

const PARALLEL_STEPS = 2;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The exit code, and the counts for the closing line. */
async function runTests() {
  const reportFile = join(root, ".cache", `tests-${process.pid}.json`);
  mkdirSync(dirname(reportFile), { recursive: true });
  const startedMs = Date.now();
  console.log("tests ...");
  try {
    const filters = process.argv.slice(2);
    // The property tests of the policy run once, in the coverage step.
    const env = { ...process.env, CLAWTOOLS_CHECK: "1" };
    const code = await runVitest({ root, reportFile, filters, env });
    const summary = readTestSummary({ root, reportFile, code });
    const durationMs = Date.now() - startedMs;
    const { exitCode, problem } = summary;
    console.log(formatOutcome({ name: "tests", code: exitCode, durationMs, output: problem }));
    return { exitCode, counts: formatSummary(summary) };
  } finally {
    rmSync(reportFile, { force: true });
  }
}

/** Zero, or the exit code of the first step that failed, which is then the last thing told. */
async function runSteps(steps, width) {
  const failed = await runAll(steps, { width, stream: process.stdout });
  if (failed.length === 0) return 0;
  console.log(`check failed at: ${failed.map(({ name }) => name).join(", ")}`);
  return failed[0].code;
}

async function runChecks() {
  const before =
    (await runSteps(listSourceSteps(root), PARALLEL_STEPS)) ||
    (await runSteps(listPackageSteps(root), 1));
  if (before !== 0) return before;
  const { exitCode, counts } = await runTests();
  const after = exitCode === 0 ? await runSteps(listCoverageSteps(root), 1) : 0;
  if (after === 0) console.log(counts);
  return exitCode || after;
}

process.exitCode = await runChecks();
