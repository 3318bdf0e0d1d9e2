// Limits for all commands together, by a control group of the system, where this process may make one.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errnoOf } from "../../lib/errno.js";
import { MAX_ALL_MEBIBYTES, MAX_ALL_PROCESSES, type TotalLimits, toBytesText } from "./limits.js";

const MOUNT = "/sys/fs/cgroup";
const NAME = /^clawtools-(\d+)$/;

export interface ControlGroup {
  readonly totals: TotalLimits;
  /** Also for what the process starts from then on. Throws the system's error. */
  add(pid: number): void;
}

/** undefined where none can be made, or none that counts anything. */
export function makeControlGroup(mount = MOUNT): ControlGroup | undefined {
  try {
    const parent = findParent(mount);
    removeStale(parent);
    const folder = join(parent, `clawtools-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const totals = {
      pids: setLimit(join(folder, "pids.max"), String(MAX_ALL_PROCESSES)),
      memory: setLimit(join(folder, "memory.max"), toBytesText(MAX_ALL_MEBIBYTES)),
    };
    if (!totals.pids && !totals.memory) return void rmdirSync(folder);
    return { totals, add: (pid) => writeFileSync(join(folder, "cgroup.procs"), String(pid)) };
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return undefined;
  }
}

/** Version 1 has a tree for each kind of limit. In version 2 a group with processes has no groups. */
function findParent(mount: string): string {
  const own = readFileSync("/proc/self/cgroup", "utf8");
  const pids = /^\d+:pids:(.*)$/m.exec(own)?.[1];
  if (pids !== undefined) return join(mount, "pids", pids);
  return join(mount, dirname(/^0::(.*)$/m.exec(own)?.[1] ?? "/"));
}

/** A group stays when its program is killed. */
function removeStale(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    try {
      rmdirSync(join(parent, name));
    } catch (error) {
      // Removed by another program just now, or its last process is about to end.
      if (errnoOf(error) === "") throw error;
    }
  }
}

function setLimit(path: string, value: string): boolean {
  if (!existsSync(path)) return false;
  writeFileSync(path, value);
  return readFileSync(path, "utf8").trim() === value;
}
