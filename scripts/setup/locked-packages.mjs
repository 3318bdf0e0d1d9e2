// Keeps node_modules equal to package-lock.json. A stamp in node_modules says for which lock file
// it was installed; an `npm ci` done by hand is recognised by npm's own record and stamped.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const NPM_CI_ARGUMENTS = ["ci", "--include=dev", "--no-audit", "--no-fund"];

/**
 * True when node_modules is missing, was installed for another package-lock.json, or has lost a
 * package that package.json names.
 */
export function arePackagesStale(root) {
  const stamp = readIfThere(join(root, "node_modules", ".clawtools-stamp"));
  return stamp !== hashLockFile(root) || !areNamedPackagesThere(root);
}

/** A few looks at the disk: what the named packages need themselves is left to the stamp. */
function areNamedPackagesThere(root) {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return Object.keys({ ...dependencies, ...devDependencies }).every((name) =>
    existsSync(join(root, "node_modules", name, "package.json")),
  );
}

export async function installLockedPackages({ root, env, run, say }) {
  const stampFile = join(root, "node_modules", ".clawtools-stamp");
  if (!isInstalledAlready(root)) {
    // Without a stamp an install that dies half-way is begun again.
    rmSync(stampFile, { force: true });
    say("The packages of package-lock.json are not installed here yet: running npm ci.");
    await run({ label: "Installing packages", ...npmCommand(env), cwd: root, env });
  }
  writeFileSync(stampFile, hashLockFile(root));
}

function npmCommand(env) {
  const npmScript = env.npm_execpath;
  // Set by npm for its scripts. Taking the same npm avoids looking for npm.cmd on Windows.
  if (npmScript && basename(npmScript) === "npm-cli.js") {
    return { command: process.execPath, args: [npmScript, ...NPM_CI_ARGUMENTS] };
  }
  return { command: "npm", args: NPM_CI_ARGUMENTS };
}

/** npm records what it installed in node_modules/.package-lock.json, in the lock file's own form. */
function isInstalledAlready(root) {
  const installed = readInstalled(root);
  if (installed === undefined) return false;
  const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  delete locked[""];
  const areWantedThere = Object.entries(locked).every(([path, entry]) =>
    installed[path] ? installed[path].integrity === entry.integrity : entry.optional === true,
  );
  return (
    areWantedThere &&
    Object.keys(installed).every((path) => path in locked) &&
    areNamedPackagesThere(root)
  );
}

/** A record that was only half written counts as none. */
function readInstalled(root) {
  const record = readIfThere(join(root, "node_modules", ".package-lock.json"));
  if (record === undefined) return undefined;
  try {
    return JSON.parse(record).packages ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function hashLockFile(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
