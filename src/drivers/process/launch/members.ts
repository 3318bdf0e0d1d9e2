// Which processes belong to a run, from the outside: what a namespace holds is below its first
// process; of a mere group, whoever is still in it, descends from it or carries its mark.

import {
  hasInEnvironment,
  listBegunSince,
  listProcesses,
  type ProcessEntry,
  readChildren,
  readProcess,
} from "./process-table.js";

export interface MemberRequest {
  /** The spawned process. */
  readonly pid: number;
  /** Processes of the containment itself, which are no members. */
  readonly wrapperCount: number;
  /** NAME=value, in the environment of every process of the run. */
  readonly mark: string;
}

/** More processes than that are not asked to end but killed with their namespace. */
export const MAX_ASKED = 256;

/** Members of a run in a namespace: below the innermost process of the containment. Not all of many. */
export function listInside({ pid, wrapperCount }: MemberRequest): ProcessEntry[] {
  let wrappers = [pid];
  for (let depth = 1; depth < wrapperCount; depth++) wrappers = wrappers.flatMap(childrenOf);
  const found: number[] = [];
  for (let level = wrappers.flatMap(childrenOf); level.length > 0 && found.length <= MAX_ASKED; ) {
    found.push(...level.slice(0, MAX_ASKED + 1));
    level = level.flatMap(childrenOf).filter((child) => !found.includes(child));
  }
  return found.flatMap((member) => readProcess(member) ?? []);
}

/** By the process's own list where the system keeps one, else by asking all who their parent is. */
function childrenOf(pid: number): number[] {
  return (
    readChildren(pid) ??
    listProcesses()
      .filter(({ parentPid }) => parentPid === pid)
      .map((entry) => entry.pid)
  );
}

/** Members of a run in a group of its own, dead ones left out. */
export function listGroup({ pid, mark }: MemberRequest): ProcessEntry[] {
  const candidates = listBegunSince(pid);
  const descendants = new Set(below([pid], byParent(candidates)).map((entry) => entry.pid));
  return candidates.filter(
    (entry) =>
      !entry.hasEnded &&
      (entry.groupId === pid ||
        entry.sessionId === pid ||
        descendants.has(entry.pid) ||
        hasInEnvironment(entry.pid, mark)),
  );
}

/** Whoever carries the mark, on the whole machine: what a dead owner left behind. */
export function listMarked(mark: string): ProcessEntry[] {
  return listProcesses().filter(({ pid, hasEnded }) => !hasEnded && hasInEnvironment(pid, mark));
}

function byParent(entries: readonly ProcessEntry[]): Map<number, ProcessEntry[]> {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of entries) {
    const siblings = children.get(entry.parentPid);
    if (siblings === undefined) children.set(entry.parentPid, [entry]);
    else siblings.push(entry);
  }
  return children;
}

function below(
  pids: readonly number[],
  children: ReadonlyMap<number, readonly ProcessEntry[]>,
): ProcessEntry[] {
  const found: ProcessEntry[] = [];
  const queue = [...pids];
  const seen = new Set(queue);
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      found.push(child);
      queue.push(child.pid);
    }
  }
  return found;
}
