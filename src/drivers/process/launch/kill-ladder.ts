// Ends all processes of a run: SIGTERM, two seconds, SIGKILL, then a check that nothing is left.
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import type { Containment, EnclosedCommand } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import type { ProcessEntry } from "../../../lib/system/process-stat.js";
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

/** A run with more processes is killed without SIGTERM. */
const MAX_ASKED = 256;

interface MemberRequest {
  readonly pid: number;
  /** Processes of the containment itself. */
  readonly wrapperCount: number;
  /** NAME=value in the environment of every process of the run. */
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
  /** PID 1 of the namespace, as seen from outside. */
  readonly init: ProcessEntry | undefined;
  readonly ended: Promise<unknown>;
  /** After that its pid may be reused. */
  hasEnded(): boolean;
}

export type OuterTree = Omit<RunningTree, "init">;

/** PID 1 exists once the inside has reported ready. */
export function withInit(tree: OuterTree): RunningTree {
  const init = tree.containment.endsChildren ? readFirstChild(tree.pid) : undefined;
  return { ...tree, init };
}

/** SIGTERM goes to the members only; it would end the containment itself. */
async function askToEnd(tree: RunningTree): Promise<void> {
  const members = await findMembers(tree);
  // Probably a fork bomb.
  if (tree.containment.endsChildren && members.length > MAX_ASKED) return;
  signalAll(members, "SIGTERM");
  if (!tree.containment.endsChildren) signalGroup(tree, "SIGTERM");
  // Not until it has no members: a shell that shuts down may have none.
  await waitForEnd(tree, MAX_TERM_WAIT_MS);
}

/** A command that was just started may have no process yet. */
async function findMembers(tree: RunningTree): Promise<readonly ProcessEntry[]> {
  for (let delayMs = FIRST_PAUSE_MS; delayMs <= MAX_PAUSE_MS && !tree.hasEnded(); delayMs *= 2) {
    const members = listMembers(tree);
    if (members.length > 0) return members;
    await pause(delayMs);
  }
  return listMembers(tree);
}

/** Kills what is left; returns the pids that survived. */
export async function endAll(tree: RunningTree): Promise<readonly number[]> {
  return tree.containment.endsChildren ? endNamespace(tree) : endGroup(tree);
}

async function endNamespace(tree: RunningTree): Promise<readonly number[]> {
  const { pid, init, hasEnded } = tree;
  if (!hasEnded()) {
    // PID 1 first: with it the kernel ends all others.
    if (init !== undefined && isAlive(init)) signal(init.pid, "SIGKILL");
    signal(pid, "SIGKILL");
  }
  if (init === undefined) {
    await waitForEnd(tree, MAX_GONE_WAIT_MS);
    // A child that is not bound to the namespace yet would wait forever.
    signalAll(listGroup(tree), "SIGKILL");
    return hasEnded() ? [] : [pid];
  }
  const limitMs = performance.now() + MAX_GONE_WAIT_MS;
  // A PID 1 without children is ending. The checks are in order of cost.
  const isOver = () => !exists(init.pid) || (hasEnded() && isChildless(init.pid)) || !isAlive(init);
  for (let look = 0; !isOver(); look++) {
    if (performance.now() > limitMs) return [init.pid];
    if (look === 0 || look > MAX_QUICK_LOOKS) signal(init.pid, "SIGKILL");
    // The kernel needs microseconds; a timer takes a millisecond.
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

/** A group id is not reused while a member lives. */
function signalGroup({ pid, hasEnded }: RunningTree, name: NodeJS.Signals): void {
  if (!hasEnded() || hasGroupMembers(pid)) signal(-pid, name);
}

function hasGroupMembers(pid: number): boolean {
  return listBegunSince(pid).some(({ groupId, hasEnded }) => groupId === pid && !hasEnded);
}

/** Processes that are gone or not ours are skipped. */
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

/** Descendants of the innermost process of the containment, up to a limit. */
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

function childrenOf(pid: number): number[] {
  return (
    readChildren(pid) ??
    listProcesses()
      .filter(({ parentPid }) => parentPid === pid)
      .map((entry) => entry.pid)
  );
}

function listGroup({ pid, mark }: MemberRequest): ProcessEntry[] {
  const candidates = listBegunSince(pid);
  const descendants = descendantsOf(pid, candidates);
  return candidates.filter(
    (entry) =>
      !entry.hasEnded &&
      (entry.groupId === pid ||
        entry.sessionId === pid ||
        descendants.has(entry.pid) ||
        hasInEnvironment(entry.pid, mark)),
  );
}

/** Every process on this machine with the mark. */
export function listMarked(mark: string): ProcessEntry[] {
  return listProcesses().filter(({ pid, hasEnded }) => !hasEnded && hasInEnvironment(pid, mark));
}

/** Of these processes, those that descend from one. A child may be listed before its parent. */
function descendantsOf(pid: number, entries: readonly ProcessEntry[]): ReadonlySet<number> {
  const family = new Set([pid]);
  for (let before = 0; before < family.size; ) {
    before = family.size;
    for (const entry of entries) if (family.has(entry.parentPid)) family.add(entry.pid);
  }
  family.delete(pid);
  return family;
}

export interface Exit {
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
}

export interface LaunchedEnd extends Exit {
  readonly survivors: readonly number[];
  /** What was undone after it. */
  readonly notice?: string | undefined;
}

interface FollowRequest {
  readonly tree: RunningTree;
  readonly exited: Promise<Exit>;
  drain(): Promise<void>;
  /** Called once at the end; its text is reported. */
  readonly settle: ReturnType<NonNullable<EnclosedCommand["guard"]>> | undefined;
}

export function follow({ tree, exited, drain, settle }: FollowRequest) {
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
    // After its exit the pid may be reused.
    if (!hasExited) await endAll(tree);
  }

  function stopNow(): void {
    if (hasExited) return;
    if (tree.init !== undefined) signal(tree.init.pid, "SIGKILL");
    signal(-tree.pid, "SIGKILL");
  }

  return {
    ended: toEnd(),
    /** Asks, then kills. */
    stop() {
      if (isStopping) return;
      isStopping = true;
      // It must end, whatever failed.
      climb().catch(stopNow);
    },
    stopNow,
  };
}
