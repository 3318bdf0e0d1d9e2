// Whether a process that was met before still lives, and is not another with the same pid.

import { readFileSync } from "node:fs";
import { errnoOf } from "../lib/errno.js";
import { parseProcessStat } from "../lib/system/process-stat.js";

const COMPACT_RADIX = 36;
const MS_PER_SECOND = 1_000;
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

export interface ProcessWorld {
  /** Of this process. */
  readonly pid: number;
  /** When it began, since 1970, for where the system does not say. */
  readonly startedMs: number;
  /** Throws when the file does not exist. */
  readText(path: string): string;
  /** Throws when the process does not exist, and with the code EPERM when it is another user's. */
  probe(pid: number): void;
}

/** This machine; tests pass another. */
const MACHINE: ProcessWorld = {
  pid: process.pid,
  startedMs: performance.timeOrigin,
  readText: (path) => readFileSync(path, "utf8"),
  probe: (pid) => void process.kill(pid, 0),
};

export interface KnownProcess {
  readonly pid: number;
  /** When it began; comparable on one machine between two starts of it. */
  readonly start: string;
}

export interface OwnProcess extends KnownProcess {
  /** Of this start of the machine; undefined where the starts of other processes cannot be read. */
  readonly bootId: string | undefined;
}

export function readOwnProcess(world: ProcessWorld = MACHINE): OwnProcess {
  const { pid } = world;
  const facts = readFacts("self", world);
  const bootId = readOptional(BOOT_ID, world)?.trim();
  // The /proc of another name space knows this process by another pid.
  if (facts?.pid === pid && bootId !== undefined) return { pid, start: facts.start, bootId };
  const startSeconds = Math.floor(world.startedMs / MS_PER_SECOND);
  return { pid, start: startSeconds.toString(COMPACT_RADIX), bootId: undefined };
}

/** As `KnownProcess` has it; undefined for one that is gone, and where starts cannot be read. */
export function readProcessStart(pid: number, world: ProcessWorld = MACHINE): string | undefined {
  const facts = readFacts(`${pid}`, world);
  return facts === undefined || facts.hasEnded ? undefined : facts.start;
}

/** For one of this machine, by its pid alone; rather false when it cannot be known. */
export function isPidGone(pid: number, world: ProcessWorld = MACHINE): boolean {
  try {
    world.probe(pid);
    return false;
  } catch (error) {
    // Of another user: it lives.
    return errnoOf(error) !== "EPERM";
  }
}

export function isProcessGone(known: KnownProcess, world: ProcessWorld = MACHINE): boolean {
  if (isPidGone(known.pid, world)) return true;
  const facts = readFacts(`${known.pid}`, world);
  return facts !== undefined && (facts.hasEnded || facts.start !== known.start);
}

/** Touches no disk; undefined without /proc, or for a process that is hidden from this one. */
function readFacts(
  name: string,
  world: ProcessWorld,
): (KnownProcess & { readonly hasEnded: boolean }) | undefined {
  const line = readOptional(`/proc/${name}/stat`, world);
  if (line === undefined) return undefined;
  const { pid, startTicks, hasEnded } = parseProcessStat(line);
  return { pid, start: Number(startTicks).toString(COMPACT_RADIX), hasEnded };
}

function readOptional(path: string, world: ProcessWorld): string | undefined {
  try {
    return world.readText(path);
  } catch {
    // Not Linux, or a /proc that shows less.
    return undefined;
  }
}
