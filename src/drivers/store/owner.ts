// One owner of a state folder: who holds the lock of its lock file. The system frees that lock when
// a process ends, however it ends, so there is none to clean up. A file next to it says who it is.

import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { type Clock, ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { readNumber, readText } from "../../lib/read-field.js";
import type { SqliteConnection } from "../../lib/system/sqlite.js";
import { isPidGone, isProcessGone, readOwnProcess } from "../process-life.js";
import { isBusy, loadSqliteFor, makePrivateFile } from "../sqlite.js";
import { WITHOUT_SQLITE } from "./sqlite/database.js";
import { toStoreError } from "./sqlite/sqlite-errors.js";

const LOCK_NAME = "owner.lock";
const OWNER_NAME = "owner.json";
const FILE_MODE = 0o600;
/** A holder that has just begun names itself within this. */
const MAX_NAMING_WAIT_MS = 500;
const NAMING_PAUSE_MS = 20;

export interface ClaimRequest {
  readonly folder: string;
  /** What the holder is, for anyone who is refused: "clawtools gateway". */
  readonly program: string;
  readonly clock: Clock;
}

export interface FolderClaim {
  /** Records where this holder serves, for other programs of this user. */
  announce(url: string): Promise<void>;
  /** Also done by the end of the process. */
  release(): Promise<void>;
}

interface Owner {
  readonly mark: string;
  readonly pid: number;
  readonly program: string;
  readonly sinceMs: number;
  /** Where it serves; undefined until it does. */
  readonly url?: string | undefined;
}

export interface FolderOwner extends Owner {
  /** Its pid means the same process here: it is not in another container. */
  readonly isLocal: boolean;
}

/** The running process that holds the folder; undefined when there is none. */
export function readFolderOwner(folder: string): FolderOwner | undefined {
  const owner = readOwner(join(folder, OWNER_NAME));
  const marks = createProcessMarks();
  if (owner === undefined || marks.isDead(owner.mark, 0)) return undefined;
  return { ...owner, isLocal: sharesPids(owner.mark, marks.own) };
}

/** Throws `conflict` / `state_held` with the holder's name while another process holds the folder. */
export async function claimStateFolder(request: ClaimRequest): Promise<FolderClaim> {
  const folder = resolve(request.folder);
  const lockFile = join(folder, LOCK_NAME);
  const ownerFile = join(folder, OWNER_NAME);
  const marks = createProcessMarks();
  const lock = await takeLock(lockFile);
  if (lock === undefined) {
    throw held(folder, await waitForName({ ownerFile, marks, clock: request.clock }));
  }
  const release = () => {
    rmSync(ownerFile, { force: true });
    lock.exec("ROLLBACK");
    lock.close();
  };
  const { program, clock } = request;
  const owner = { mark: marks.own, pid: process.pid, program, sinceMs: Math.floor(clock.now()) };
  try {
    await writeOwner(ownerFile, owner);
  } catch (error) {
    release();
    throw toStoreError(error, ownerFile);
  }
  const announce = (url: string) => writeOwner(ownerFile, { ...owner, url });
  return { announce, ...keepClaim(release) };
}

/** The listener keeps the lock alive too: one that no one refers to would be collected. */
function keepClaim(release: () => void): Pick<FolderClaim, "release"> {
  process.once("exit", release);
  let isHeld = true;
  return {
    async release() {
      if (!isHeld) return;
      isHeld = false;
      process.off("exit", release);
      release();
    },
  };
}

/** undefined when another has it. */
async function takeLock(lockFile: string): Promise<SqliteConnection | undefined> {
  const openSqlite = await loadSqliteFor(WITHOUT_SQLITE);
  let connection: SqliteConnection | undefined;
  try {
    await makePrivateFile(lockFile);
    connection = openSqlite(lockFile);
    // Nothing is ever written in it: an empty database, locked as if something would be. Without
    // a journal on the disk there is nothing to repair for the next one either.
    connection.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    return connection;
  } catch (error) {
    connection?.close();
    if (isBusy(error)) return undefined;
    throw toStoreError(error, lockFile);
  }
}

async function writeOwner(ownerFile: string, owner: Owner): Promise<void> {
  const draft = `${ownerFile}.new`;
  await writeFile(draft, JSON.stringify(owner), { mode: FILE_MODE });
  await rename(draft, ownerFile);
}

interface NameRequest {
  readonly ownerFile: string;
  readonly marks: ReturnType<typeof createProcessMarks>;
  readonly clock: Clock;
}

/** The file may still name one that is gone, until the new holder has written it. */
async function waitForName({ ownerFile, marks, clock }: NameRequest): Promise<Owner | undefined> {
  const tries = MAX_NAMING_WAIT_MS / NAMING_PAUSE_MS;
  for (let count = 0; count < tries; count++) {
    const owner = readOwner(ownerFile);
    if (owner !== undefined && !marks.isDead(owner.mark, 0)) return owner;
    await new Promise<void>((done) => {
      clock.after(NAMING_PAUSE_MS, done);
    });
  }
  return undefined;
}

function readOwner(ownerFile: string): Owner | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(ownerFile, "utf8"));
    const mark = readText(found, "mark");
    const pid = readNumber(found, "pid");
    const program = readText(found, "program");
    const sinceMs = readNumber(found, "sinceMs");
    const url = readText(found, "url");
    if (mark === undefined || pid === undefined) return undefined;
    return program === undefined || sinceMs === undefined
      ? undefined
      : { mark, pid, program, sinceMs, url };
  } catch {
    // Not there yet, or not whole: asked again.
    return undefined;
  }
}

function held(folder: string, owner: Owner | undefined): ToolError {
  const who =
    owner === undefined
      ? "another process that has not named itself"
      : `"${toPrintable(owner.program)}" (process ${owner.pid}, since ${toTime(owner.sinceMs)})`;
  return new ToolError(
    "conflict",
    `The state folder "${folder}" is held by ${who}; end it or choose another state folder.`,
    {
      reason: "state_held",
      details: owner && { pid: owner.pid, program: owner.program, sinceMs: owner.sinceMs },
    },
  );
}

/** What is in a file may be no time at all. */
function toTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "an unknown time" : date.toISOString();
}

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
function sharesPids(one: string, other: string): boolean {
  const [a, b] = [parseMark(one), parseMark(other)];
  return a !== undefined && a.boot === b?.boot && a.space === b.space;
}

function readOwnMark(): ProcessMark {
  const { pid, start, bootId } = readOwnProcess();
  if (bootId === undefined) return { pid, boot: `h${hash(hostname())}`, space: hash(""), start };
  return { pid, boot: `b${hash(bootId)}`, space: hash(readPidSpace()), start };
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
  return isOfBoot(mark) ? isProcessGone(mark) : isPidGone(mark.pid);
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
