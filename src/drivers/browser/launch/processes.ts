// Processes of this machine and the temporary folders of a browser run. A pid alone is never enough to
// end a process: the number may have been given to another.

import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../../../lib/errno.js";
import { parseProcessStat } from "../../../lib/process/process-stat.js";
import { isPidGone, isProcessGone, readOwnProcess, readProcessStart } from "../../process-life.js";

const PID_FORM = /^\d{1,10}$/;
const MAX_ROUNDS = 20;
const PAUSE_MS = 25;
/** Short: the browser makes a socket in it, whose path may have about a hundred characters. */
const PREFIX = "clawtools-web-";
const NAME_FORM = /^clawtools-web-(\d{1,10})-([0-9a-z]{1,20})-[A-Za-z0-9]{6}$/;
const TEMPORARY_NAME = "t";
const REMOVE_TRIES = 5;
const REMOVE_PAUSE_MS = 50;

export interface MarkedProcess {
  readonly pid: number;
  readonly start?: string | undefined;
}

export function markOwnProcess(): MarkedProcess {
  const { pid, start } = readOwnProcess();
  return { pid, start };
}

export function markProcess(pid: number): MarkedProcess {
  const start = readProcessStart(pid);
  return { pid, start };
}

/** Rather alive when it cannot be known. */
export function isAlive({ pid, start }: MarkedProcess): boolean {
  // Starts that were not read from /proc are not comparable.
  if (start === undefined || readProcessStart(process.pid) === undefined) {
    return !isPidGone(pid);
  }
  return !isProcessGone({ pid, start });
}

export function killProcess(marked: MarkedProcess): void {
  if (marked.start !== undefined && isAlive(marked)) kill(marked.pid);
}

/** Also when the leader has ended: while a member lives, no other process can have its number. */
export function killGroup(marked: MarkedProcess): void {
  const now = readProcessStart(marked.pid);
  if (marked.start === undefined || (now !== undefined && now !== marked.start)) return;
  if (now !== undefined && readGroup(marked.pid) !== marked.pid) return;
  kill(-marked.pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (errnoOf(error) !== "ESRCH" && errnoOf(error) !== "EPERM") throw error;
  }
}

function readGroup(pid: number): number | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, "latin1")).groupId;
  } catch {
    // Gone, or a system that does not say.
    return undefined;
  }
}

/** Ends those that were started with this `TMPDIR`, and what they start meanwhile. Never rejects. */
export async function endOwnProcesses(temporary: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const left = listOwnProcesses(temporary);
    if (left.length === 0) return;
    for (const one of left) {
      // Renderers hide their environment from other users' processes; their group tells them.
      killGroup(one);
      killProcess(one);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function listOwnProcesses(temporary: string): MarkedProcess[] {
  return readPids().flatMap((pid) => {
    if (pid === process.pid || !wasGiven(pid, temporary)) return [];
    const marked = markProcess(pid);
    return isAlive(marked) ? [marked] : [];
  });
}

function readPids(): number[] {
  try {
    return readdirSync("/proc").flatMap((name) => (PID_FORM.test(name) ? [Number(name)] : []));
  } catch {
    // Another system: nothing is known.
    return [];
  }
}

function wasGiven(pid: number, temporary: string): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return variables.includes(`TMPDIR=${Buffer.from(temporary).toString("latin1")}`);
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
}

export interface Scratch {
  /** Absolute; holds the two others. */
  readonly folder: string;
  readonly temporary: string;
  readonly artifacts: string;
}

export async function makeScratch(): Promise<Scratch> {
  const { pid, start = "0" } = markOwnProcess();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${pid}-${start}-`));
  const [temporary, artifacts] = [join(folder, TEMPORARY_NAME), join(folder, "a")];
  await Promise.all([mkdir(temporary), mkdir(artifacts)]);
  return { folder, temporary, artifacts };
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, {
    recursive: true,
    force: true,
    maxRetries: REMOVE_TRIES,
    retryDelay: REMOVE_PAUSE_MS,
  });
}

/** What processes that are gone have left, browsers too. What cannot be removed is another user's. */
export async function sweepScratch(): Promise<void> {
  const names = await readdir(tmpdir()).catch((): string[] => []);
  const left = names.filter((name) => {
    const [, pid, start] = NAME_FORM.exec(name) ?? [];
    return pid !== undefined && !isAlive({ pid: Number(pid), start });
  });
  for (const name of left) {
    const folder = join(tmpdir(), name);
    await endOwnProcesses(join(folder, TEMPORARY_NAME));
    await removeFolder(folder).catch(() => undefined);
  }
}
