// Which commands the checks consist of. All are scripts of the locked packages or of this project,
// started with the running Node.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPackageBin } from "../package-bin.mjs";
import { isDistStale } from "../setup/dist-stamp.mjs";

const QUIET_REPORT = fileURLToPath(new URL("./quiet-report.mjs", import.meta.url));

export function listSourceSteps(root) {
  const bin = (name, command) => findPackageBin({ root, name, command });
  return [
    { name: "types", args: [bin("typescript", "tsc"), "--noEmit"], cwd: root },
    {
      name: "types of the code in pages",
      args: [bin("typescript", "tsc"), "--noEmit", "-p", join(root, "src/drivers/browser/inpage")],
      cwd: root,
    },
    { name: "lint", args: [bin("@biomejs/biome", "biome"), "check", "."], cwd: root },
    { name: "unused", args: [bin("knip", "knip")], cwd: root },
    { name: "house", args: [join(root, "scripts", "check-house.mjs")], cwd: root },
  ];
}

/** The package is checked as built, so it is built first where the sources have changed. */
export function listPackageSteps(root) {
  const build = { name: "build", args: [join(root, "scripts", "build.mjs")], cwd: root };
  const script = join(root, "scripts", "check-package.mjs");
  const lint = { name: "package", args: [script], cwd: root };
  return isDistStale(root) ? [build, lint] : [lint];
}

/** What says something only of tests that pass. */
export function listCoverageSteps(root) {
  return [{ name: "coverage", args: [join(root, "scripts", "check-coverage.mjs")], cwd: root }];
}

/** Streams vitest's output through; resolves with its exit code. */
export function runVitest({ root, reportFile, filters, env = process.env }) {
  const vitest = findPackageBin({ root, name: "vitest", command: "vitest" });
  const args = [
    vitest,
    "run",
    ...filters,
    "--reporter=default",
    `--reporter=${QUIET_REPORT}`,
    `--outputFile.json=${reportFile}`,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
