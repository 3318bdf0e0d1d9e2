// Finds what can contain commands here: a sandbox that holds, a process namespace or the process
// group.

import { execFile } from "node:child_process";
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
import { chooseIdentity, probeSandbox, type SandboxIdentity } from "./bwrap/probe.js";
import type { OwnPlaces } from "./bwrap/protected-places.js";

export type SandboxChoice = "auto" | "bwrap" | "docker" | "none";

/** Writing here would change programs for everyone. */
const SYSTEM_ROOTS = ["/", "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin"];
const FURTHER_SYSTEM_ROOTS = ["/sys", "/usr", "/usr/bin", "/usr/lib", "/usr/local", "/var", "/run"];
/** Shared with other processes. */
const SHARED_ROOTS = ["/tmp"];

export interface ContainmentSettings extends Partial<OwnPlaces> {
  readonly root: string;
  readonly sandbox: SandboxChoice;
  readonly author?: GitAuthor | undefined;
  /** Opens the network access of the sandbox. */
  readonly openHosts?: ((owner: SandboxIdentity) => Promise<HostAccess>) | undefined;
}

type Found = Pick<Containments, "sandbox" | "sandboxProblem">;

export async function findContainments(settings: ContainmentSettings): Promise<Containments> {
  const [found, host] = await Promise.all([findSandbox(settings), findHostContainment()]);
  return { ...found, host };
}

async function findSandbox(settings: ContainmentSettings): Promise<Found> {
  const { sandbox } = settings;
  if (sandbox === "none") return { sandboxProblem: 'tools.exec.sandbox is "none".' };
  if (sandbox === "docker") {
    return { sandboxProblem: 'tools.exec.sandbox "docker" is not built yet; use "bwrap".' };
  }
  if (process.platform !== "linux") return { sandboxProblem: "The sandbox needs Linux." };
  const bwrap = findSystemProgram("bwrap");
  const bash = findSystemProgram("bash");
  if (bwrap === undefined || bash === undefined) {
    return {
      sandboxProblem: "bwrap is not installed; install the package bubblewrap, and bash.",
    };
  }
  return tryBwrap(settings, { bwrap, bash });
}

async function tryBwrap(
  settings: ContainmentSettings,
  { bwrap, bash }: { readonly bwrap: string; readonly bash: string },
): Promise<Found> {
  const { hidden = [], readOnly = [], names, author, openHosts } = settings;
  const root = realRoot(settings.root);
  if ([...SYSTEM_ROOTS, ...FURTHER_SYSTEM_ROOTS, ...SHARED_ROOTS].includes(root)) {
    return { sandboxProblem: `The workspace "${root}" is a folder of the system; choose another.` };
  }
  const identity = chooseIdentity(root);
  const setpriv = findSystemProgram("setpriv");
  if (identity.isOther && setpriv === undefined) {
    return { sandboxProblem: "setpriv is not installed; install the package util-linux." };
  }
  const containment = createBwrap({
    ...{ root, hidden, readOnly, names, author, identity, bwrap },
    home: homedir(),
    setpriv: setpriv ?? "",
    hosts: await openHosts?.(identity),
  });
  const problem = await findProblem({ containment, bash, root });
  return problem === undefined
    ? { sandbox: containment }
    : { sandboxProblem: `The sandbox was tried and does not hold: ${problem}` };
}

async function findProblem(
  tried: Omit<Parameters<typeof probeSandbox>[0], "env">,
): Promise<string | undefined> {
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
  try {
    const problem = await probeSandbox({ ...tried, env });
    return problem === undefined ? undefined : `${problem}.`;
  } catch (error) {
    // Something in the workspace cannot be protected.
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

const MAX_TRY_MS = 5_000;

async function findHostContainment(): Promise<Containment> {
  const setpriv = findSystemProgram("setpriv");
  const unshare = findSystemProgram("unshare");
  if (setpriv === undefined || unshare === undefined) {
    return createGroupContainment("the programs setpriv and unshare are not installed.");
  }
  const containment = createNamespaceContainment({ setpriv, unshare });
  const problem = await tryNamespace(containment);
  return problem === undefined
    ? containment
    : createGroupContainment(`this system refuses a process namespace (${problem}).`);
}

interface Programs {
  readonly setpriv: string;
  readonly unshare: string;
}

function createNamespaceContainment({ setpriv, unshare }: Programs): Containment {
  const isRoot = process.getuid?.() === 0;
  // A process namespace needs a user namespace; the user id stays.
  const identity = isRoot ? [] : ["--map-current-user"];
  const prefix = ["--pdeathsig", "KILL", "--", unshare, ...identity];
  const namespace = ["--pid", "--fork", "--kill-child", "--mount-proc", "--"];
  return {
    kind: "namespace",
    isSandbox: false,
    endsChildren: true,
    limits: ["limits: not enforced on the host"],
    warnings: [
      "Commands on the host read and change whatever this user can; only their processes are contained.",
      "Commands on the host see their own processes only, so they cannot list or end others.",
    ],
    setupScript: "",
    smallSetupScript: "",
    wrapperCount: 2,
    startsInit: true,
    enclose: ({ argv, cwd, env }) => ({
      file: setpriv,
      args: [...prefix, ...namespace, ...argv],
      cwd,
      env,
    }),
  };
}

/** The system's refusal; undefined when it works. */
function tryNamespace(containment: Containment): Promise<string | undefined> {
  const shell = findSystemProgram("sh") ?? "/bin/sh";
  const { file, args } = containment.enclose({
    argv: [shell, "-c", "exit 7"],
    cwd: "/",
    env: {},
    isTerminal: false,
    allowsNetwork: true,
  });
  return new Promise((resolve) => {
    const options = { cwd: "/", env: {}, timeout: MAX_TRY_MS };
    const child = execFile(file, [...args], options, (_error, _stdout, stderr) => {
      if (child.exitCode === 7) resolve(undefined);
      else resolve(stderr.trim().split("\n")[0] ?? "it gave no reason");
    });
  });
}

export function createGroupContainment(problem: string): Containment {
  return {
    kind: "group",
    isSandbox: false,
    endsChildren: false,
    limits: ["limits: not enforced on the host"],
    warnings: [
      `Children of a command can outlive it here when they leave its group and empty their environment: ${problem}`,
    ],
    setupScript: "",
    smallSetupScript: "",
    wrapperCount: 0,
    startsInit: false,
    enclose: ({ argv: [file, ...args], cwd, env }) => ({ file, args, cwd, env }),
  };
}
