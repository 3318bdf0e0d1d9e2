// Reads the report of a test run and reduces it to counts that cannot hide a failure: a file that
// would not load, an error outside of any test and a run without tests all count.
import { readFileSync } from "node:fs";

export function readTestSummary({ reportFile, code }) {
  const report = readReport(reportFile);
  if (!report) {
    return verdict({ passed: 0, failed: 1, skipped: 0, problem: "The test run left no report." });
  }
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const count = (...states) => tests.filter(({ status }) => states.includes(status)).length;
  const brokenFiles = report.testResults.filter(
    (file) =>
      file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed"),
  ).length;
  const passed = count("passed");
  const failed = count("failed") + brokenFiles;
  const skipped = count("skipped", "pending", "todo", "disabled");
  if (passed + failed === 0) {
    return verdict({ passed, failed: 0, skipped, problem: "No test ran." });
  }
  if (code !== 0 && failed === 0) {
    const problem = `The test run ended with ${code} outside of any test.`;
    return verdict({ passed, failed: 1, skipped, problem });
  }
  return verdict({ passed, failed, skipped, problem: failed > 0 ? "See above." : undefined });
}

/** The plain closing line, such as "12 passed, 0 failed". */
export function formatSummary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function verdict({ passed, failed, skipped, problem }) {
  return { passed, failed, skipped, problem, exitCode: problem === undefined ? 0 : 1 };
}

function readReport(reportFile) {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
