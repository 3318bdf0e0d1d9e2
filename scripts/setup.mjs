// Prepares this folder for one job (start, test, bench, trace or campaign), so that a fresh clone needs
// nothing before `npm start` or `npm test`. Silent when there is nothing to do.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { runWithProgress } from "./setup/run-with-progress.mjs";
import { setUp } from "./setup/set-up.mjs";
import { SetupError } from "./setup/setup-error.mjs";

const JOBS = ["start", "test", "bench", "trace", "campaign"];
const SUDO_PROBE_LIMIT_MS = 5_000;

const job = process.argv[2] ?? "";
if (!JOBS.includes(job)) {
  console.error(`Usage: node scripts/setup.mjs ${JOBS.join(" | ")}`);
  process.exit(2);
}

try {
  await setUp({
    job,
    root: dirname(dirname(fileURLToPath(import.meta.url))),
    env: process.env,
    nodeVersion: process.versions.node,
    isRoot: process.getuid?.() === 0,
    canSudo: () => spawnSync("sudo", ["-n", "true"], { timeout: SUDO_PROBE_LIMIT_MS }).status === 0,
    run: (step) => runWithProgress(step, process.stderr),
    say: (line) => console.error(line),
  });
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
