// Who owns a temporary file: `<pid>-<start>-<n>` in its name says it, and here is asked whether that
// process still lives. Where the file lies is left to others.

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { cutText } from "../../lib/unicode-text.js";
import { errnoOf } from "./errors.js";

const MAX_NAME_BYTES = 255;
const MS_IN_SECONDS = 1_000;
const COMPACT_RADIX = 36;
const PLACE_CHARS = 6;
const ENDING = ".clawtmp";
const NAME_FORM = new RegExp(
  `^\\..+\\.([1-9]\\d{0,9})-([0-9a-f]{${PLACE_CHARS}})([0-9a-z]+)-\\d+\\${ENDING}$`,
  "s",
);
/** Of /proc/<pid>/stat, counted from the first field behind the command's name. */
const STATE_FIELD = 0;
const START_FIELD = 19;
const ENDED_STATES = ["Z", "X", "x"];
/** Whether an owner in another boot, container or machine lives cannot be asked. */
const MAX_FOREIGN_AGE_MS = 24 * 60 * 60_000;

export interface TemporaryOwner {
  readonly pid: number;
  /** A mark of machine, boot and pid namespace: pids of another place mean nothing here. */
  readonly place: string;
  /** When the process began. */
  readonly start: string;
}

export interface Ownership {
  /** A part of a temporary name that no other write through this bridge has. */
  nextMark(): string;
  /** Whether it is this process. */
  isOwn(owner: TemporaryOwner): boolean;
  /** `ageMs` is that of the file. Rather false when it cannot be known. */
  isDead(owner: TemporaryOwner, ageMs: number): boolean;
}

interface Self extends TemporaryOwner {
  /** Whether the start of other processes can be read and compared. */
  readonly knowsStarts: boolean;
}

export function createOwnership(): Ownership {
  let known: Self | undefined;
  let count = 0;
  const self = () => {
    known ??= readSelf();
    return known;
  };
  return {
    nextMark: () => {
      const { pid, place, start } = self();
      return `${pid}-${place}${start}-${count++}`;
    },
    isOwn: ({ pid, place, start }) =>
      pid === self().pid && place === self().place && start === self().start,
    isDead: (owner, ageMs) =>
      owner.place === self().place ? isGone(owner, self()) : ageMs > MAX_FOREIGN_AGE_MS,
  };
}

/** The file's own name is shortened where the whole would be too long for a file system. */
export function toTemporaryName(name: string, mark: string): string {
  const ending = `.${mark}${ENDING}`;
  const maxBytes = MAX_NAME_BYTES - Buffer.byteLength(ending) - 1;
  return `.${cutText(name, { maxChars: maxBytes, maxBytes })}${ending}`;
}

/** undefined for the name of any other file. */
export function parseTemporaryName(name: string): TemporaryOwner | undefined {
  const [, pid, place, start] = NAME_FORM.exec(name) ?? [];
  if (pid === undefined || place === undefined || start === undefined) return undefined;
  return { pid: Number(pid), place, start };
}

function readSelf(): Self {
  const { pid } = process;
  const found = readProcess("self");
  const system = readSystemMark();
  if (found?.pid === pid && system !== undefined) {
    return { pid, place: toPlace(system), start: found.start, knowsStarts: true };
  }
  // Without /proc, or with that of another namespace, the start of others cannot be read.
  const start = Math.floor(performance.timeOrigin / MS_IN_SECONDS).toString(COMPACT_RADIX);
  return { pid, place: toPlace(`host ${hostname()}`), start, knowsStarts: false };
}

function readSystemMark(): string | undefined {
  try {
    const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `boot ${bootId} ${statSync("/proc/self/ns/pid").ino}`;
  } catch {
    // Not Linux, or a /proc that shows less.
    return undefined;
  }
}

function toPlace(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, PLACE_CHARS);
}

function isGone(owner: TemporaryOwner, self: Self): boolean {
  if (!isRunning(owner.pid)) return true;
  const found = self.knowsStarts ? readProcess(String(owner.pid)) : undefined;
  return found !== undefined && (found.hasEnded || found.start !== owner.start);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return errnoOf(error) === "EPERM";
  }
}

interface ProcessFacts {
  readonly pid: number;
  readonly start: string;
  readonly hasEnded: boolean;
}

/** What /proc says of a process; undefined when it says nothing. Touches no disk. */
function readProcess(name: string): ProcessFacts | undefined {
  try {
    const line = readFileSync(`/proc/${name}/stat`, "utf8");
    // The name of the command stands in parentheses and may hold any character.
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
