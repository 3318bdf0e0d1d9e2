// Reads the report of a test run and reduces it to counts that cannot hide a failure: a file that
// would not load, an error outside of any test and a run without tests all count.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

/** `problem` says what went wrong, with the name of each failed test; undefined when nothing did. */
export function readTestSummary({ root, reportFile, code }) {
  const report = readReport(reportFile);
  if (!report) {
    return verdict({ passed: 0, failed: 1, skipped: 0, problem: "The test run left no report." });
  }
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const count = (...states) => tests.filter(({ status }) => states.includes(status)).length;
  const failures = report.testResults.flatMap((file) => listFailures(file, root));
  const passed = count("passed");
  const failed = failures.length;
  const skipped = count("skipped", "pending", "todo", "disabled");
  if (passed + failed === 0) {
    return verdict({ passed, failed, skipped, problem: "No test ran." });
  }
  if (code !== 0 && failed === 0) {
    const problem = `The test run ended with ${code} outside of any test.`;
    return verdict({ passed, failed: 1, skipped, problem });
  }
  const problem = failed > 0 ? failures.map((name) => `  ${name}`).join("\n") : undefined;
  return verdict({ passed, failed, skipped, problem });
}

/** The plain closing line, such as "12 passed, 0 failed". */
export function formatSummary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function listFailures({ name, status, assertionResults }, root) {
  const path = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0) return status === "failed" ? [`${path} > outside of its tests`] : [];
  return failed.map(({ ancestorTitles, title }) => [path, ...ancestorTitles, title].join(" > "));
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
