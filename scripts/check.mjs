// Every check of the project in one command: types, lint, unused code, house rules, the package as
// it would be published, tests. One line per step; stops at the first failure with its exit code.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runStep } from "./check/run-step.mjs";
import { listPackageSteps, listSourceSteps, runVitest } from "./check/steps.mjs";
import { formatSummary, readTestSummary } from "./check/test-summary.mjs";

const PARALLEL_STEPS = 2;

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Keeps two steps going; after a failure no further one is begun. Prints in the given order. */
async function runAll(steps, width) {
  const waiting = steps.map((step) => ({ step, outcome: undefined }));
  let next = 0;
  let printed = 0;
  let failedCode = 0;
  const worker = async () => {
    while (next < waiting.length && failedCode === 0) {
      const slot = waiting[next];
      next += 1;
      slot.outcome = await runStep(slot.step);
      failedCode ||= slot.outcome.code;
      while (waiting[printed]?.outcome) {
        printOutcome(waiting[printed].outcome);
        printed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  for (const { outcome } of waiting.slice(printed)) if (outcome) printOutcome(outcome);
  return failedCode;
}

function printOutcome({ name, code, durationMs, output }) {
  const verdict = code === 0 ? "ok" : "FAILED";
  console.log(`${name.padEnd(8)} ${verdict.padEnd(6)} ${(durationMs / 1_000).toFixed(1)} s`);
  if (code !== 0) console.log(output.trimEnd());
}

async function runTests() {
  const reportFile = join(root, ".cache", `tests-${process.pid}.json`);
  mkdirSync(dirname(reportFile), { recursive: true });
  const startedMs = Date.now();
  try {
    const code = await runVitest({ root, reportFile, filters: process.argv.slice(2) });
    const summary = readTestSummary({ reportFile, code });
    printOutcome({
      name: "tests",
      code: summary.exitCode,
      durationMs: Date.now() - startedMs,
      output: summary.problem,
    });
    console.log(formatSummary(summary));
    return summary.exitCode;
  } finally {
    rmSync(reportFile, { force: true });
  }
}

process.exitCode =
  (await runAll(listSourceSteps(root), PARALLEL_STEPS)) ||
  (await runAll(listPackageSteps(root), 1)) ||
  (await runTests());
