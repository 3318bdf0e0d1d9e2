// Installs the Debian packages a job lacks, or says which command a person has to type.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { DEBIAN_PACKAGES, STRICT_JOBS } from "./debian-packages.mjs";
import { SetupError } from "./setup-error.mjs";

/** The rows of the table whose command is on no folder of `path`. */
export function findMissingPackages({ job, path, table = DEBIAN_PACKAGES }) {
  return table[job].filter((row) => !isOnPath({ command: row.command, path }));
}

/** Throws SetupError when a job that needs the packages cannot have them. */
export async function installDebianPackages(options) {
  const { job, missing, say } = options;
  for (const row of missing) {
    say(`The command "${row.command}" (Debian package ${row.package}) is missing: ${row.why}.`);
  }
  try {
    await install(options);
  } catch (error) {
    if (STRICT_JOBS.includes(job) || !(error instanceof SetupError)) throw error;
    say(error.message);
  }
}

async function install({ missing, env, isRoot, canSudo, run }) {
  const names = missing.map((row) => row.package);
  const refusal = findRefusal({ env, isRoot, canSudo });
  if (refusal)
    throw new SetupError(`${refusal} On Debian, type: ${commandToType({ names, isRoot })}`);

  const prefix = isRoot ? [] : ["sudo", "-n"];
  const aptEnv = { ...env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = ["apt-get", "install", "-y", "--no-install-recommends", ...names];
  for (const words of [["apt-get", "update"], apt]) {
    const [command, ...args] = [...prefix, ...words];
    await run({ label: `Running ${words.join(" ")}`, command, args, env: aptEnv });
  }
}

function findRefusal({ env, isRoot, canSudo }) {
  if (env.CLAWTOOLS_SETUP_APT === "0") return "CLAWTOOLS_SETUP_APT=0 forbids installing it here.";
  if (!isOnPath({ command: "apt-get", path: env.PATH })) {
    return "There is no apt-get here: use your own package manager.";
  }
  if (!isRoot && !canSudo()) return "Installing it needs root, and sudo asks for a password.";
  return undefined;
}

function commandToType({ names, isRoot }) {
  const sudo = isRoot ? "" : "sudo ";
  return `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${names.join(" ")}`;
}

function isOnPath({ command, path = "" }) {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return folder !== "";
    } catch (error) {
      if (["ENOENT", "EACCES", "ENOTDIR"].includes(error.code)) return false;
      throw error;
    }
  });
}
