// What every child of this process starts with: who it is, its limits, its rank among processes, and the
// rights that new files do not get.

import { getPriority } from "node:os";
import { readOwn } from "./process-table.js";

const INHERITED = /^(?:Umask|Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp):.*$/gm;

/** Equal texts: a child that is started now is as one that was started then. */
export function readHeritage(): string {
  const facts = readOwn("status").match(INHERITED) ?? [];
  return [...facts, getPriority(), readOwn("limits")].join("\n");
}
