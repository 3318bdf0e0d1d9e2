// The processes of this machine from /proc: parents, groups, start times, environments. Without /proc
// every answer is "unknown".

import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { type ProcessEntry, parseProcessStat } from "../../../lib/process/process-stat.js";

/** Below this many new pids each is looked at by itself; above, the folder is listed. */
const MAX_SINGLE_LOOKS = 64;
/** A line of numbers; of a longer one the rest is asked for too. */
const LINE_BYTES = 1_024;
/** The system gives about so much at once. */
const PAGE_BYTES = 4_096;

export function readProcess(pid: number): ProcessEntry | undefined {
  const text = readLine(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseProcessStat(text);
}

/** Whether the process exists. Without /proc always false. */
export function exists(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Whether the process that was seen is still there and runs; another with its pid is not it. */
export function isAlive(seen: Pick<ProcessEntry, "pid" | "startTicks">): boolean {
  const now = readProcess(seen.pid);
  return now !== undefined && !now.hasEnded && now.startTicks === seen.startTicks;
}

export function listProcesses(): ProcessEntry[] {
  return readPids().flatMap((pid) => readProcess(pid) ?? []);
}

/** Whether it surely has none; false where that cannot be asked. */
export function isChildless(pid: number): boolean {
  return readLine(`/proc/${pid}/task/${pid}/children`) === "";
}

/** Children of all its threads; undefined where that cannot be asked. */
export function readChildren(pid: number): number[] | undefined {
  const threads = readNumbers(`/proc/${pid}/task`);
  const texts = threads.map((thread) => readText(`/proc/${pid}/task/${thread}/children`));
  // A thread that has ended has none; a system without the list has it for no thread.
  if (texts.length > 0 && texts.every((text) => text === undefined)) {
    return readProcess(pid) === undefined ? [] : undefined;
  }
  return texts.flatMap((text) =>
    (text ?? "")
      .split(" ")
      .map(Number)
      .filter((child) => child > 0),
  );
}

/** The first child of a process, which is the only one that a containment's own process has. */
export function readFirstChild(pid: number): ProcessEntry | undefined {
  return peekFirstChild(pid) ?? listProcesses().find(({ parentPid }) => parentPid === pid);
}

/** As `readFirstChild`, where it can be reported at once: not when it has none yet. */
export function peekFirstChild(pid: number): ProcessEntry | undefined {
  // It has one thread.
  const first = Number(readLine(`/proc/${pid}/task/${pid}/children`)?.split(" ")[0]);
  return first > 0 ? readProcess(first) : undefined;
}

/** Processes that began after `pid` did: by far not all of the machine. */
export function listBegunSince(pid: number): ProcessEntry[] {
  const lastPid = Number(readText("/proc/loadavg")?.trim().split(" ").at(-1));
  if (!(lastPid >= pid)) return listProcesses();
  const count = lastPid - pid;
  const pids =
    count <= MAX_SINGLE_LOOKS
      ? Array.from({ length: count }, (_, index) => pid + 1 + index)
      : readPids().filter((candidate) => candidate > pid && candidate <= lastPid);
  return pids.flatMap((candidate) => readProcess(candidate) ?? []);
}

/** Whether its environment, as it was started with, has this text. False where it may not be read. */
export function hasInEnvironment(pid: number, text: string): boolean {
  return readText(`/proc/${pid}/environ`)?.includes(text) ?? false;
}

function readPids(): number[] {
  return readNumbers("/proc");
}

function readNumbers(folder: string): number[] {
  try {
    return readdirSync(folder).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    // No /proc on this system, or the process has ended meanwhile.
    return [];
  }
}

/** A file about this process. */
export function readOwn(name: string): string {
  const path = `/proc/self/${name}`;
  const descriptor = openSync(path, "r");
  try {
    const parts: string[] = [];
    const bytes = Buffer.allocUnsafe(PAGE_BYTES);
    for (let count = 1; count > 0; ) {
      count = readSync(descriptor, bytes, 0, PAGE_BYTES, -1);
      parts.push(bytes.toString("latin1", 0, count));
    }
    return parts.join("");
  } finally {
    closeSync(descriptor);
  }
}

/** As `readText`, in a third of the time: every run is looked at several times while it starts. */
function readLine(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    const bytes = Buffer.allocUnsafe(LINE_BYTES);
    const count = readSync(descriptor, bytes, 0, LINE_BYTES, 0);
    return count < LINE_BYTES ? bytes.toString("latin1", 0, count) : readText(path);
  } catch {
    // The process has ended meanwhile, or is someone else's.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // The process has ended meanwhile, or is someone else's.
    return undefined;
  }
}
