// A process namespace around a command that otherwise sees the machine as it is: whatever it starts
// ends with it, and with this process.

import { execFile } from "node:child_process";
import type { Containment } from "../../core/index.js";
import { findSystemProgram } from "../../lib/system/find-system-program.js";

const MAX_TRY_MS = 5_000;

/** The namespace where it works, else the process group with the reason. */
export async function findHostContainment(): Promise<Containment> {
  const setpriv = findSystemProgram("setpriv");
  const unshare = findSystemProgram("unshare");
  if (setpriv === undefined || unshare === undefined) {
    return createGroupContainment("the programs setpriv and unshare are not installed.");
  }
  const containment = createNamespaceContainment({ setpriv, unshare });
  const problem = await findProblem(containment);
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
  // A user needs a user namespace to be allowed a process namespace, and keeps the own id in it.
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

/** What the system says when a namespace is tried; undefined when it works. */
function findProblem(containment: Containment): Promise<string | undefined> {
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
