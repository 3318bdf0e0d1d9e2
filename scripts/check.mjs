// Every check of the project in one command: types, lint, unused code, house rules, the package as
// it would be published, tests. A line when a step begins and one when it ends; the first failure
// stops the rest and gives its exit code.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatOutcome } from "./check/outcome.mjs";
import { runAll } from "./check/run-all.mjs";
import { listPackageSteps, listSourceSteps, runVitest } from "./check/steps.mjs";
import { formatSummary, readTestSummary } from "./check/test-summary.mjs";

const PARALLEL_STEPS = 2;

const root = dirname(dirname(fileURLToPath(import.meta.url)));

async function runTests() {
  const reportFile = join(root, ".cache", `tests-${process.pid}.json`);
  mkdirSync(dirname(reportFile), { recursive: true });
  const startedMs = Date.now();
  console.log("tests ...");
  try {
    const code = await runVitest({ root, reportFile, filters: process.argv.slice(2) });
    const summary = readTestSummary({ root, reportFile, code });
    const durationMs = Date.now() - startedMs;
    const { exitCode, problem } = summary;
    console.log(formatOutcome({ name: "tests", code: exitCode, durationMs, output: problem }));
    console.log(formatSummary(summary));
    return exitCode;
  } finally {
    rmSync(reportFile, { force: true });
  }
}

/** The exit code of the first step that failed; zero when none did. */
async function runSteps() {
  const stream = process.stdout;
  const source = await runAll(listSourceSteps(root), { width: PARALLEL_STEPS, stream });
  const failed =
    source.length > 0 ? source : await runAll(listPackageSteps(root), { width: 1, stream });
  if (failed.length === 0) return 0;
  console.log(`check failed at: ${failed.map(({ name }) => name).join(", ")}`);
  return failed[0].code;
}

process.exitCode = (await runSteps()) || (await runTests());
