// Ends everything a run consists of: asks it to end, waits two seconds, kills it, and looks whether
// all of it is gone. Time is that of the machine: processes do not end by any other clock.
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import type { Containment, EnclosedCommand } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import type { ProcessEntry } from "../../../lib/process/process-stat.js";
import {
  exists,
  hasInEnvironment,
  isAlive,
  isChildless,
  listBegunSince,
  listProcesses,
  readChildren,
  readFirstChild,
  readProcess,
} from "./process-table.js";

/** More processes than that are not asked to end but killed with their namespace. */
const MAX_ASKED = 256;

interface MemberRequest {
  /** The spawned process. */
  readonly pid: number;
  /** Processes of the containment itself, which are not members. */
  readonly wrapperCount: number;
  /** NAME=value, in the environment of every process of the run. */
  readonly mark: string;
}

const MAX_TERM_WAIT_MS = 2_000;
const MAX_GONE_WAIT_MS = 2_000;
const MAX_KILL_ROUNDS = 20;
const FIRST_PAUSE_MS = 1;
const MAX_PAUSE_MS = 50;
const MAX_QUICK_LOOKS = 30;
const UNREACHED = ["ESRCH", "EPERM"];

export interface RunningTree extends MemberRequest {
  readonly containment: Containment;
  /** First process of the namespace, as seen from here: when it is gone, so are all others. */
  readonly init: ProcessEntry | undefined;
  /** Fulfilled when the spawned process has ended. */
  readonly ended: Promise<unknown>;
  /** Its pid may be another's from then on. */
  hasEnded(): boolean;
}

export type OuterTree = Omit<RunningTree, "init">;

/** The first process of the namespace exists once the inside has spoken. */
export function withInit(tree: OuterTree): RunningTree {
  const init = tree.containment.endsChildren ? readFirstChild(tree.pid) : undefined;
  return { ...tree, init };
}

/** TERM to the members, not to the containment, which would take it for its own end. */
async function askToEnd(tree: RunningTree): Promise<void> {
  const members = await findMembers(tree);
  // This many may be a fork bomb, which only grows while it is asked.
  if (tree.containment.endsChildren && members.length > MAX_ASKED) return;
  signalAll(members, "SIGTERM");
  if (!tree.containment.endsChildren) signalGroup(tree, "SIGTERM");
  // Not "until it has no members": while it shuts down it may have none but itself.
  await waitForEnd(tree, MAX_TERM_WAIT_MS);
}

/** A command that was asked to go this very moment has no process yet. */
async function findMembers(tree: RunningTree): Promise<readonly ProcessEntry[]> {
  for (let delayMs = FIRST_PAUSE_MS; delayMs <= MAX_PAUSE_MS && !tree.hasEnded(); delayMs *= 2) {
    const members = listMembers(tree);
    if (members.length > 0) return members;
    await pause(delayMs);
  }
  return listMembers(tree);
}

/** Kills what is left; the pids of what could not be ended. Also after a command ended by itself. */
export async function endAll(tree: RunningTree): Promise<readonly number[]> {
  return tree.containment.endsChildren ? endNamespace(tree) : endGroup(tree);
}

async function endNamespace(tree: RunningTree): Promise<readonly number[]> {
  const { pid, init, hasEnded } = tree;
  if (!hasEnded()) {
    // The first process of the namespace first: with it the system ends all others at once.
    if (init !== undefined && isAlive(init)) signal(init.pid, "SIGKILL");
    signal(pid, "SIGKILL");
  }
  if (init === undefined) {
    await waitForEnd(tree, MAX_GONE_WAIT_MS);
    // One that it had just made, and not yet bound to itself, would wait for its word for ever.
    signalAll(listGroup(tree), "SIGKILL");
    return hasEnded() ? [] : [pid];
  }
  const limitMs = performance.now() + MAX_GONE_WAIT_MS;
  // A first process without children is of the containment alone, and on its own way out. Asked in
  // the order of what an answer costs.
  const isOver = () => !exists(init.pid) || (hasEnded() && isChildless(init.pid)) || !isAlive(init);
  for (let look = 0; !isOver(); look++) {
    if (performance.now() > limitMs) return [init.pid];
    if (look === 0 || look > MAX_QUICK_LOOKS) signal(init.pid, "SIGKILL");
    // It takes the system some microseconds, and a timer a thousand.
    if (look < MAX_QUICK_LOOKS) await setImmediate();
    else await pause(Math.min(FIRST_PAUSE_MS * 2 ** (look - MAX_QUICK_LOOKS), MAX_PAUSE_MS));
  }
  return [];
}

async function endGroup(tree: RunningTree): Promise<readonly number[]> {
  let left: readonly ProcessEntry[] = [];
  for (let round = 0; round < MAX_KILL_ROUNDS; round++) {
    signalGroup(tree, "SIGKILL");
    left = listMembers(tree);
    if (left.length === 0) return [];
    signalAll(left, "SIGKILL");
    await pause(Math.min(FIRST_PAUSE_MS * 2 ** round, MAX_PAUSE_MS));
  }
  return left.map(({ pid }) => pid);
}

function listMembers(tree: RunningTree): ProcessEntry[] {
  return tree.containment.endsChildren ? listInside(tree) : listGroup(tree);
}

function signalAll(entries: readonly ProcessEntry[], name: NodeJS.Signals): void {
  for (const entry of entries) if (isAlive(entry)) signal(entry.pid, name);
}

/** The id of a group is not given again while one of it lives, so this meets no one else. */
function signalGroup({ pid, hasEnded }: RunningTree, name: NodeJS.Signals): void {
  if (!hasEnded() || hasGroupMembers(pid)) signal(-pid, name);
}

function hasGroupMembers(pid: number): boolean {
  return listBegunSince(pid).some(({ groupId, hasEnded }) => groupId === pid && !hasEnded);
}

/** Nothing happens where the process is gone or not ours; what is left is looked for anyway. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!UNREACHED.includes(errnoOf(error))) throw error;
  }
}

async function waitForEnd({ ended, hasEnded }: RunningTree, limitMs: number): Promise<void> {
  if (hasEnded()) return;
  const over = new AbortController();
  await Promise.race([
    ended,
    pause(limitMs, undefined, { signal: over.signal }).catch(() => undefined),
  ]);
  over.abort();
}

/** Members of a run in a namespace: below the innermost process of the containment. Not all of many. */
function listInside({ pid, wrapperCount }: MemberRequest): ProcessEntry[] {
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
function listGroup({ pid, mark }: MemberRequest): ProcessEntry[] {
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

/** Anyone who carries the mark, on the whole machine: what a dead owner left behind. */
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

export interface Exit {
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
}

export interface LaunchedEnd extends Exit {
  readonly survivors: readonly number[];
  /** What was taken back after it. */
  readonly notice?: string | undefined;
}

interface FollowRequest {
  readonly tree: RunningTree;
  readonly exited: Promise<Exit>;
  /** Fulfilled when the output was read. */
  drain(): Promise<void>;
  /** Called at the end, once; what it says is reported. */
  readonly settle: ReturnType<NonNullable<EnclosedCommand["guard"]>> | undefined;
}

export interface Followed {
  /** Fulfilled when it is over, what it started is gone and its output was read. */
  readonly ended: Promise<LaunchedEnd>;
  /** Asks, then kills; `ended` tells when it is done. */
  stop(): void;
  /** Kills at once, without a wait: for the end of this process. */
  stopNow(): void;
}

export function follow({ tree, exited, drain, settle }: FollowRequest): Followed {
  let isStopping = false;
  let hasExited = false;

  async function toEnd(): Promise<LaunchedEnd> {
    const exit = await exited;
    hasExited = true;
    const survivors = await endAll(tree);
    const notice = settle?.();
    await drain();
    return { ...exit, survivors, notice };
  }

  async function climb(): Promise<void> {
    await askToEnd(tree);
    // Once it has exited its pid may soon be another's; the rest is ended above.
    if (!hasExited) await endAll(tree);
  }

  function stopNow(): void {
    if (hasExited) return;
    if (tree.init !== undefined) signal(tree.init.pid, "SIGKILL");
    signal(-tree.pid, "SIGKILL");
  }

  return {
    ended: toEnd(),
    stop() {
      if (isStopping) return;
      isStopping = true;
      // Whatever went wrong on the way: it must end.
      climb().catch(stopNow);
    },
    stopNow,
  };
}
