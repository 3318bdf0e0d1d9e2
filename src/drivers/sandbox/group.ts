// The weakest containment: a process group of its own. What leaves the group is looked for by its
// environment, and what has emptied that too is not found.

import type { Containment } from "../../core/index.js";

export function createGroupContainment(problem: string): Containment {
  return {
    kind: "group",
    isSandbox: false,
    endsChildren: false,
    limits: ["limits: not enforced on the host"],
    warnings: [
      `Children of a command can outlive it here when they leave its group and empty their environment: ${problem}`,
    ],
    limitScript: "",
    smallLimitScript: "",
    wrapperCount: 0,
    startsInit: false,
    enclose: ({ argv: [file, ...args], cwd, env }) => ({ file, args, cwd, env }),
  };
}
