// Which process made something, as a text to store beside it, and whether that process still lives.
// A pid alone is not enough: it is given again, and means nothing in another container.

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";

const MARK_FORM = /^([1-9]\d{0,9})-([bh][0-9a-f]{8})-([0-9a-f]{8})-([0-9a-z]{1,20})$/;
const HASH_CHARS = 8;
const COMPACT_RADIX = 36;
const MS_PER_SECOND = 1_000;
/** Of /proc/<pid>/stat, counted from the first field behind the command's name. */
const STATE_FIELD = 0;
const START_FIELD = 19;
const ENDED_STATES = ["Z", "X", "x"];
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

function readOwnMark(): ProcessMark {
  const { pid } = process;
  const facts = readProcess("self");
  const boot = readBootId();
  // The /proc of another name space knows this process by another pid.
  if (facts?.pid === pid && boot !== undefined) {
    return { pid, boot: `b${hash(boot)}`, space: hash(readPidSpace()), start: facts.start };
  }
  const start = Math.floor(performance.timeOrigin / MS_PER_SECOND).toString(COMPACT_RADIX);
  return { pid, boot: `h${hash(hostname())}`, space: hash(""), start };
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
  if (!isRunning(mark.pid)) return true;
  const facts = isOfBoot(mark) ? readProcess(`${mark.pid}`) : undefined;
  return facts !== undefined && (facts.hasEnded || facts.start !== mark.start);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user: it lives.
    return error instanceof Error && Reflect.get(error, "code") === "EPERM";
  }
}

interface ProcessFacts {
  readonly pid: number;
  readonly start: string;
  readonly hasEnded: boolean;
}

/** Touches no disk. */
function readProcess(name: string): ProcessFacts | undefined {
  try {
    const line = readFileSync(`/proc/${name}/stat`, "utf8");
    // The command's name stands in parentheses and may hold any character.
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    return {
      pid: Number.parseInt(line, 10),
      start: Number(fields[START_FIELD]).toString(COMPACT_RADIX),
      hasEnded: ENDED_STATES.includes(fields[STATE_FIELD] ?? ""),
    };
  } catch {
    // No /proc, or a process that is hidden from this one.
    return undefined;
  }
}

function readBootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    // Not Linux, or a /proc that shows less.
    return undefined;
  }
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
