// The processes of this machine from /proc; without it nothing is known.

import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { type ProcessEntry, parseProcessStat } from "../../../lib/system/process-stat.js";

const MAX_SINGLE_LOOKS = 64;
const LINE_BYTES = 1_024;
const PAGE_BYTES = 4_096;

export function readProcess(pid: number): ProcessEntry | undefined {
  const text = readLine(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseProcessStat(text);
}

export function exists(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Same pid and start time, and not ended. */
export function isAlive(seen: Pick<ProcessEntry, "pid" | "startTicks">): boolean {
  const now = readProcess(seen.pid);
  return now !== undefined && !now.hasEnded && now.startTicks === seen.startTicks;
}

export function listProcesses(): ProcessEntry[] {
  return readPids().flatMap((pid) => readProcess(pid) ?? []);
}

/** false when unknown. */
export function isChildless(pid: number): boolean {
  return readLine(`/proc/${pid}/task/${pid}/children`) === "";
}

/** Children of all threads; undefined when unknown. */
export function readChildren(pid: number): number[] | undefined {
  const threads = readNumbers(`/proc/${pid}/task`);
  const texts = threads.map((thread) => readText(`/proc/${pid}/task/${thread}/children`));
  // An ended thread has no list; an old kernel has it for no thread.
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

export function readFirstChild(pid: number): ProcessEntry | undefined {
  return peekFirstChild(pid) ?? listProcesses().find(({ parentPid }) => parentPid === pid);
}

/** Without a search through all processes. */
export function peekFirstChild(pid: number): ProcessEntry | undefined {
  // A containment's own process has one thread.
  const first = Number(readLine(`/proc/${pid}/task/${pid}/children`)?.split(" ")[0]);
  return first > 0 ? readProcess(first) : undefined;
}

/** Processes with a higher pid. */
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

/** Whether its initial environment contains this text; false when unreadable. */
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
    // No /proc, or the process has ended.
    return [];
  }
}

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

/** Three times as fast as `readText`; every start needs several. */
function readLine(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    const bytes = Buffer.allocUnsafe(LINE_BYTES);
    const count = readSync(descriptor, bytes, 0, LINE_BYTES, 0);
    return count < LINE_BYTES ? bytes.toString("latin1", 0, count) : readText(path);
  } catch {
    // Ended, or owned by another user.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // Ended, or owned by another user.
    return undefined;
  }
}
