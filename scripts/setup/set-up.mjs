// The order of the set-up: Node version, locked packages, Debian packages, build. It first looks
// whether anything is to do at all; only then does it take the lock and look again under it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findMissingPackages, installDebianPackages } from "./apt.mjs";
import { isDistStale } from "./dist-stamp.mjs";
import { arePackagesStale, installLockedPackages } from "./locked-packages.mjs";
import { findNodeVersionProblem } from "./node-version.mjs";
import { SetupError, toSetupError } from "./setup-error.mjs";
import { withSetupLock } from "./setup-lock.mjs";

/**
 * `run` starts one command and rejects with its output when it fails; `say` prints one line.
 * Throws SetupError with a sentence for the person at the keyboard.
 */
export async function setUp(options) {
  try {
    await prepare(options);
  } catch (error) {
    throw toSetupError(error);
  }
}

async function prepare(options) {
  const { root, nodeVersion, say } = options;
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const problem = findNodeVersionProblem({ wanted: engines.node, found: nodeVersion });
  if (problem) throw new SetupError(problem);

  if (!isAnythingToDo(options)) return;
  await withSetupLock({ folder: join(root, ".cache", "setup.lock"), say }, () => doSteps(options));
}

function isAnythingToDo({ root, job, env }) {
  return (
    arePackagesStale(root) ||
    findMissingPackages({ job, path: env.PATH }).length > 0 ||
    isDistStale(root)
  );
}

async function doSteps({ root, job, env, isRoot, canSudo, run, say }) {
  if (arePackagesStale(root)) await installLockedPackages({ root, env, run, say });

  const missing = findMissingPackages({ job, path: env.PATH });
  if (missing.length > 0) {
    await installDebianPackages({ job, missing, env, isRoot, canSudo, run, say });
  }

  if (isDistStale(root)) {
    await run({
      label: "Building dist",
      command: process.execPath,
      args: [join(root, "scripts", "build.mjs")],
      cwd: root,
      env,
    });
  }
}
