// Who owns a temporary file: `<pid>-<start>-<n>` in its name says it, and here is asked whether that
// process still lives. Where the file is kept is left to others.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { hostname } from "node:os";
import { cutText } from "../../../lib/unicode-text.js";
import { isPidGone, isProcessGone, readOwnProcess } from "../../process-life.js";

const MAX_NAME_BYTES = 255;
const PLACE_CHARS = 6;
const ENDING = ".clawtmp";
const NAME_FORM = new RegExp(
  `^\\..+\\.([1-9]\\d{0,9})-([0-9a-f]{${PLACE_CHARS}})([0-9a-z]+)-\\d+\\${ENDING}$`,
  "s",
);
/** Whether an owner in another boot, container or machine lives cannot be asked. */
const MAX_FOREIGN_AGE_MS = 24 * 60 * 60_000;

export interface TemporaryOwner {
  readonly pid: number;
  /** A mark of machine, boot and pid namespace: pids of another place mean nothing here. */
  readonly place: string;
  readonly start: string;
}

export interface Ownership {
  nextMark(): string;
  isOwn(owner: TemporaryOwner): boolean;
  isDead(owner: TemporaryOwner, ageMs: number): boolean;
}

interface Self extends TemporaryOwner {
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

export function toTemporaryName(name: string, mark: string): string {
  const ending = `.${mark}${ENDING}`;
  const maxBytes = MAX_NAME_BYTES - Buffer.byteLength(ending) - 1;
  return `.${cutText(name, { maxChars: maxBytes, maxBytes })}${ending}`;
}

export function parseTemporaryName(name: string): TemporaryOwner | undefined {
  const [, pid, place, start] = NAME_FORM.exec(name) ?? [];
  if (pid === undefined || place === undefined || start === undefined) return undefined;
  return { pid: Number(pid), place, start };
}

function readSelf(): Self {
  const { pid, start, bootId } = readOwnProcess();
  const space = bootId === undefined ? undefined : readPidSpace();
  const system = space === undefined ? `host ${hostname()}` : `boot ${bootId} ${space}`;
  return { pid, place: toPlace(system), start, knowsStarts: space !== undefined };
}

function readPidSpace(): number | undefined {
  try {
    return statSync("/proc/self/ns/pid").ino;
  } catch {
    // A /proc that shows less.
    return undefined;
  }
}

function toPlace(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, PLACE_CHARS);
}

function isGone(owner: TemporaryOwner, { knowsStarts }: Self): boolean {
  return knowsStarts ? isProcessGone(owner) : isPidGone(owner.pid);
}
