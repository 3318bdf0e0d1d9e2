// What this machine has to contain commands with. Found once, by trying: a sandbox that was not
// left by any attempt, a process namespace that works, else the process group.

import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import {
  type Containment,
  type Containments,
  type HostAccess,
  isToolError,
  ToolError,
} from "../../core/index.js";
import { findSystemProgram } from "../../lib/system/find-system-program.js";
import { createBwrap, type GitAuthor } from "./bwrap/create-bwrap.js";
import { chooseIdentity, type SandboxIdentity } from "./bwrap/identity.js";
import { probeSandbox } from "./bwrap/probe.js";
import type { OwnPlaces } from "./bwrap/protected-places.js";
import { findHostContainment } from "./namespace.js";

export type SandboxChoice = "auto" | "bwrap" | "docker" | "none";

/** Anyone who could write in one of these could change what everybody runs. */
const SYSTEM_ROOTS = ["/", "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin"];
const FURTHER_SYSTEM_ROOTS = ["/sys", "/usr", "/usr/bin", "/usr/lib", "/usr/local", "/var", "/run"];
/** Where this process and others keep what is private for a moment. */
const SHARED_ROOTS = ["/tmp"];

export interface ContainmentSettings extends Partial<OwnPlaces> {
  /** The workspace. */
  readonly root: string;
  /** `tools.exec.sandbox`. */
  readonly sandbox: SandboxChoice;
  readonly author?: GitAuthor | undefined;
  /** Asked for when the sandbox is made: what commands in it reach. */
  readonly openHosts?: ((owner: SandboxIdentity) => Promise<HostAccess>) | undefined;
}

type Found = Pick<Containments, "sandbox" | "sandboxProblem">;

export async function findContainments(settings: ContainmentSettings): Promise<Containments> {
  const [found, host] = await Promise.all([findSandbox(settings), findHostContainment()]);
  return { ...found, host };
}

async function findSandbox(settings: ContainmentSettings): Promise<Found> {
  const { root, sandbox, hidden = [], readOnly = [], names, author, openHosts } = settings;
  if (sandbox === "none") return { sandboxProblem: 'tools.exec.sandbox is "none".' };
  if (sandbox === "docker") {
    return { sandboxProblem: 'tools.exec.sandbox "docker" is not built yet; use "bwrap".' };
  }
  const bwrap = findSystemProgram("bwrap");
  const bash = findSystemProgram("bash");
  if (process.platform !== "linux") return { sandboxProblem: "The sandbox needs Linux." };
  if (bwrap === undefined || bash === undefined) {
    return {
      sandboxProblem: "bwrap is not installed; install the package bubblewrap, and bash.",
    };
  }
  return tryBwrap({
    root: realRoot(root),
    bwrap,
    bash,
    hidden,
    readOnly,
    names,
    author,
    openHosts,
  });
}

interface BwrapPrograms extends OwnPlaces {
  readonly root: string;
  readonly bwrap: string;
  readonly bash: string;
  readonly author: ContainmentSettings["author"];
  readonly openHosts: ContainmentSettings["openHosts"];
}

async function tryBwrap({ bwrap, bash, openHosts, ...places }: BwrapPrograms): Promise<Found> {
  const { root } = places;
  if ([...SYSTEM_ROOTS, ...FURTHER_SYSTEM_ROOTS, ...SHARED_ROOTS].includes(root)) {
    return { sandboxProblem: `The workspace "${root}" is a folder of the system; choose another.` };
  }
  const identity = chooseIdentity(root);
  const setpriv = findSystemProgram("setpriv");
  if (identity.isOther && setpriv === undefined) {
    return { sandboxProblem: "setpriv is not installed; install the package util-linux." };
  }
  const containment = createBwrap({
    ...places,
    home: homedir(),
    identity,
    bwrap,
    setpriv: setpriv ?? "",
    hosts: await openHosts?.(identity),
  });
  const problem = await findProblem({ containment, bash, root });
  return problem === undefined
    ? { sandbox: containment }
    : { sandboxProblem: `The sandbox was tried and does not hold: ${problem}` };
}

interface Tried {
  readonly containment: Containment;
  readonly bash: string;
  readonly root: string;
}

async function findProblem(tried: Tried): Promise<string | undefined> {
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
  try {
    const problem = await probeSandbox({ ...tried, env });
    return problem === undefined ? undefined : `${problem}.`;
  } catch (error) {
    // Something of the workspace cannot be protected.
    if (!isToolError(error)) throw error;
    return error.message;
  }
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch (error) {
    throw new ToolError("not_found", `The workspace "${root}" does not exist; make it first.`, {
      reason: "root_missing",
      cause: error,
    });
  }
}
