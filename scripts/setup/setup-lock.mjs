// One set-up at a time in a tree: a lock folder that holds the owner's pid. It appears and goes by
// rename, so it is never seen without its pid. The lock of a dead owner is taken over.
import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SetupError } from "./setup-error.mjs";

const MAX_WAIT_MS = 10 * 60_000;
const POLL_MS = 100;
const TICKET_AGE_MS = 5_000;
/** A lock is never without its pid, but for a damaged disk or a curious hand. */
const NAMELESS_AGE_MS = 5_000;
const NOBODY = "unknown";
const PID_FORM = /^[1-9]\d*$/;
const TAKEN_CODES = ["ENOTEMPTY", "EEXIST", "EPERM"];

/** Runs `work` while this process holds the lock; `say` hears of it when it has to wait. */
export async function withSetupLock(options, work) {
  const { folder, say, pid = process.pid, maxWaitMs = MAX_WAIT_MS } = options;
  await takeLock({ folder, say, pid, maxWaitMs });
  try {
    return await work();
  } finally {
    moveAway(folder);
  }
}

async function takeLock({ folder, say, pid, maxWaitMs }) {
  const giveUpAt = Date.now() + maxWaitMs;
  let toldOwner;
  while (!tryLock(folder, pid)) {
    const owner = readOwner(folder);
    if (owner !== undefined) {
      if (isDead(folder, owner)) removeDeadLock({ folder, owner });
      else if (Date.now() >= giveUpAt) throw lockHeldError(folder, owner);
      else if (owner !== toldOwner) {
        say(`Another set-up (process ${owner}) is at work here: waiting for it.`);
        toldOwner = owner;
      }
    }
    await delay(POLL_MS);
  }
}

function isDead(folder, owner) {
  return owner === NOBODY ? isOlderThan(folder, NAMELESS_AGE_MS) : !isAlive(owner);
}

function lockHeldError(folder, owner) {
  return new SetupError(
    `Another set-up (process ${owner}) still holds ${folder}. If it is not one of yours, remove that folder and run the command again.`,
  );
}

function tryLock(folder, pid) {
  const draft = `${folder}.draft-${randomUUID()}`;
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(draft);
  writeFileSync(join(draft, "pid"), String(pid));
  try {
    renameSync(draft, folder);
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (TAKEN_CODES.includes(error.code)) return false;
    throw error;
  }
}

/** Two processes may find the same dead lock: the one that makes the ticket removes it. */
function removeDeadLock({ folder, owner }) {
  const ticket = `${folder}.dead-${owner}`;
  try {
    mkdirSync(ticket);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    removeOldTicket(ticket);
    return;
  }
  if (readOwner(folder) === owner) moveAway(folder);
  rmdirSync(ticket);
}

function removeOldTicket(ticket) {
  if (isOlderThan(ticket, TICKET_AGE_MS)) ignoreAbsence(() => rmdirSync(ticket));
}

/** False for what is not there. */
function isOlderThan(path, ageMs) {
  const madeMs = ignoreAbsence(() => statSync(path).mtimeMs);
  return madeMs !== undefined && Date.now() - madeMs >= ageMs;
}

function moveAway(folder) {
  const grave = `${folder}.gone-${randomUUID()}`;
  ignoreAbsence(() => renameSync(folder, grave));
  rmSync(grave, { recursive: true, force: true });
}

/** A pid, or NOBODY when the lock does not tell; undefined when there is no lock. */
function readOwner(folder) {
  const text = ignoreAbsence(() => readFileSync(join(folder, "pid"), "utf8"))?.trim();
  if (text !== undefined && PID_FORM.test(text)) return Number(text);
  return ignoreAbsence(() => statSync(folder)) && NOBODY;
}

function ignoreAbsence(read) {
  try {
    return read();
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
