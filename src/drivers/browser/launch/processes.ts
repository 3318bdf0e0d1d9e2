// Processes and temporary folders of a browser. A pid alone never identifies a process: it is reused.

import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../../../lib/errno.js";
import { isPidGone, isProcessGone, readOwnProcess, readProcessStart } from "../../process-life.js";

const PID_FORM = /^\d{1,10}$/;
const MAX_ROUNDS = 20;
const PAUSE_MS = 25;
/** Short, because socket paths are limited to about 100 characters. */
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
  return { pid, start: readProcessStart(pid) };
}

export function isAlive({ pid, start }: MarkedProcess): boolean {
  // Only start times from /proc are comparable.
  if (start === undefined || readProcessStart(process.pid) === undefined) {
    return !isPidGone(pid);
  }
  return !isProcessGone({ pid, start });
}

export function killProcess(marked: MarkedProcess): void {
  if (marked.start !== undefined && isAlive(marked)) kill(marked.pid);
}

/** Also when the leader ended: its number is not reused while a member lives. */
export function killGroup(marked: MarkedProcess): void {
  const now = readProcessStart(marked.pid);
  if (marked.start === undefined || (now !== undefined && now !== marked.start)) return;
  kill(-marked.pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (errnoOf(error) !== "ESRCH" && errnoOf(error) !== "EPERM") throw error;
  }
}

/** Ends processes with this `TMPDIR`, and what they start meanwhile. Never rejects. */
export async function endOwnProcesses(temporary: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const left = listOwnProcesses(temporary);
    if (left.length === 0) return;
    for (const one of left) {
      // Renderers hide their environment; their group identifies them.
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
    return [];
  }
}

function wasGiven(pid: number, temporary: string): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return variables.includes(`TMPDIR=${Buffer.from(temporary).toString("latin1")}`);
  } catch {
    return false;
  }
}

export type Scratch = Awaited<ReturnType<typeof makeScratch>>;

export async function makeScratch() {
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
