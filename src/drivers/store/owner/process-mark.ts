// Which process made something, as a text to store next to it, and whether that process still lives.
// A pid alone is not enough: it is given again, and means nothing in another container.

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import {
  isPidGone,
  isProcessGone,
  type ProcessWorld,
  readOwnProcess,
} from "../../../lib/process/process-life.js";

const MARK_FORM = /^([1-9]\d{0,9})-([bh][0-9a-f]{8})-([0-9a-f]{8})-([0-9a-z]{1,20})$/;
const HASH_CHARS = 8;
/** Whether a process of another container or machine lives cannot be asked. */
const MAX_FOREIGN_AGE_MS = 24 * 60 * 60_000;

export interface ProcessMarks {
  /** That of this process. */
  readonly own: string;
  /** `ageMs`: how old what carries the mark is. Rather false when it cannot be known. */
  isDead(mark: string, ageMs: number): boolean;
}

interface ProcessMark {
  readonly pid: number;
  /** Of this start of the machine, or of the host's name where that cannot be known. */
  readonly boot: string;
  /** Of the name space of the pid. */
  readonly space: string;
  /** When the process began. */
  readonly start: string;
}

export function createProcessMarks(): ProcessMarks {
  const own = readOwnMark();
  return {
    own: `${own.pid}-${own.boot}-${own.space}-${own.start}`,
    isDead(text, ageMs) {
      const mark = parseMark(text);
      if (mark === undefined) return ageMs > MAX_FOREIGN_AGE_MS;
      if (mark.boot !== own.boot) {
        // State is shared by processes of one machine only: one of an earlier start is gone.
        return (isOfBoot(mark) && isOfBoot(own)) || ageMs > MAX_FOREIGN_AGE_MS;
      }
      return mark.space === own.space ? isGone(mark) : ageMs > MAX_FOREIGN_AGE_MS;
    },
  };
}

/** Whether both processes are in one name space of pids, since the same start of the machine. */
export function sharesPids(one: string, other: string): boolean {
  const [a, b] = [parseMark(one), parseMark(other)];
  return a !== undefined && a.boot === b?.boot && a.space === b.space;
}

function readOwnMark(): ProcessMark {
  const { pid, start, bootId } = readOwnProcess(createWorld());
  if (bootId === undefined) return { pid, boot: `h${hash(hostname())}`, space: hash(""), start };
  return { pid, boot: `b${hash(bootId)}`, space: hash(readPidSpace()), start };
}

function createWorld(): ProcessWorld {
  return {
    pid: process.pid,
    startedMs: performance.timeOrigin,
    readText: (path) => readFileSync(path, "utf8"),
    probe: (pid) => void process.kill(pid, 0),
  };
}

function parseMark(text: string): ProcessMark | undefined {
  const [, pid, boot, space, start] = MARK_FORM.exec(text) ?? [];
  if (pid === undefined || boot === undefined || space === undefined || start === undefined) {
    return undefined;
  }
  return { pid: Number(pid), boot, space, start };
}

function isOfBoot({ boot }: ProcessMark): boolean {
  return boot.startsWith("b");
}

function isGone(mark: ProcessMark): boolean {
  const world = createWorld();
  return isOfBoot(mark) ? isProcessGone(mark, world) : isPidGone(mark.pid, world);
}

function readPidSpace(): string {
  try {
    return `${statSync("/proc/self/ns/pid").ino}`;
  } catch {
    // Name spaces are hidden: then all processes that can be seen are in one.
    return "";
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARS);
}
