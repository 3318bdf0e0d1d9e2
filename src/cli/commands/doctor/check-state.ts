// The state folder: owner, permissions, free space, files that a crash left, interrupted calls.

import { constants, type Stats } from "node:fs";
import { access, chmod, lstat, mkdir, readdir, rm, stat, statfs } from "node:fs/promises";
import { basename, join } from "node:path";
import { AUDIT_NAMES } from "../../../audit/index.js";
import { isLeftOver } from "../../../config/edit/index.js";
import { GATEWAY_TOKEN_FILE } from "../../../config/index.js";
import { isToolError, type Toolkit } from "../../../core/index.js";
import { errnoOf, isMissing } from "../../../lib/errno.js";
import { toPrintable } from "../../../lib/printable.js";
import { shellQuote } from "../../../lib/system/shell-words.js";
import { type Finding, findingsOf } from "./finding.js";

const state = findingsOf("state");

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
const MODE_BITS = 0o7777;
const STICKY = 0o1000;
const OCTAL = 8;
const LOW_BYTES = 64 * 1024 * 1024;
const BYTES_PER_MIB = 1024 * 1024;
/** A younger file may belong to a process that is writing now. */
const LEFT_OVER_AGE_MS = 60_000;
const OWN_NAMES =
  /^\.?(?:clawtools\.json|exec-approvals\.json|state\.db|owner\.(?:lock|json)|audit\.[\w.]+|artifacts|browser|gateway-token|logs|runs|memory|tls|undo)(?:[.-].*)?$/;
const DEFAULT_NAME = ".clawtools";
const PRIVATE_FILES = [
  ...Object.entries(AUDIT_NAMES).flatMap(([name, kind]) => (kind === "file" ? [name] : [])),
  "clawtools.json",
  "exec-approvals.json",
  "state.db",
  "state.db-wal",
  "owner.json",
  GATEWAY_TOKEN_FILE,
];
const KINDS: Readonly<Record<string, "file" | "folder">> = {
  ...AUDIT_NAMES,
  "state.db": "file",
  "state.db-wal": "file",
  "state.db-shm": "file",
  "owner.lock": "file",
  "owner.json": "file",
};
/** The name of a file while it is being written. */
const DRAFT_NAME = /^exec-approvals\.json\.new$|^\..+\.clawtmp$/;

export async function checkState(folder: string): Promise<Finding[]> {
  try {
    const facts = await stat(folder);
    if (!facts.isDirectory()) return noFolder(folder);
    const inside = await Promise.all([
      checkSpace(folder),
      checkFiles(folder),
      checkLeftOvers(folder),
      checkKinds(folder),
      checkWritable(folder),
    ]);
    const foreign = (await readdir(folder)).find((name) => !OWN_NAMES.test(name));
    const found = [...checkFolder({ folder, facts, foreign }), ...inside.flat()];
    if (found.length > 0) return found;
    return state.ok({ what: `State folder ${show(folder)}.` });
  } catch (error) {
    return isMissing(error) ? missing(folder) : unreadable(folder, error);
  }
}

interface FolderFacts {
  readonly folder: string;
  readonly facts: Stats;
  readonly foreign: string | undefined;
}

function checkFolder({ folder, facts, foreign }: FolderFacts): Finding[] {
  const own = process.getuid?.();
  const isForeign = own !== undefined && facts.uid !== own && facts.uid !== 0;
  const owned = isForeign
    ? state.broken({
        what: `The state folder ${show(folder)} belongs to another user (${facts.uid}).`,
        why: "That user can read and change approvals, journal and config.",
        remedy: `sudo chown -R "$(id -u)" ${shellQuote(folder)}`,
      })
    : [];
  const open = checkMode({ path: folder, facts, mode: FOLDER_MODE });
  const shared = describeShared({ folder, facts, foreign });
  return [...owned, ...(shared === undefined ? open : open.map((one) => leave(one, shared)))];
}

function describeShared({ folder, facts, foreign }: FolderFacts): string | undefined {
  if ((facts.mode & STICKY) !== 0) return "is a folder for several users";
  const isOurs = foreign === undefined || basename(folder) === DEFAULT_NAME;
  return isOurs ? undefined : `also holds ${show(foreign)}`;
}

function leave({ area, level, what }: Finding, shared: string): Finding {
  const why = `It ${shared}, so --fix keeps its mode. Use a state folder of its own.`;
  return { area, level, what, why, remedy: "Choose another folder with --state-dir." };
}

async function checkFiles(folder: string): Promise<Finding[]> {
  const found = await Promise.all(
    PRIVATE_FILES.map(async (name) => {
      const path = join(folder, name);
      const facts = await lstat(path).catch(() => undefined);
      return facts?.isFile() ? checkMode({ path, facts, mode: FILE_MODE }) : [];
    }),
  );
  return found.flat();
}

function checkMode(options: {
  readonly path: string;
  readonly facts: Stats;
  readonly mode: number;
}): Finding[] {
  const { path, facts, mode } = options;
  if (process.getuid === undefined || (facts.mode & OTHERS) === 0) return [];
  const [now, wanted] = [facts.mode & MODE_BITS, mode].map((bits) => bits.toString(OCTAL));
  return state.warning({
    what: `${show(path)} is open to other users of this machine (mode ${now}).`,
    why: "It may contain keys, grants and old file content.",
    remedy: `chmod ${wanted} ${shellQuote(path)}`,
    fix: async () => {
      await chmod(path, mode);
      return `${show(path)} now has mode ${wanted}.`;
    },
  });
}

async function checkSpace(folder: string): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= LOW_BYTES) return [];
  return state[free === 0 ? "broken" : "warning"]({
    what: `The disk of ${show(folder)} has ${Math.floor(free / BYTES_PER_MIB)} MiB left.`,
    why: "Without free space, undo, approvals and the audit do not work.",
    remedy: `df -h ${shellQuote(folder)}`,
  });
}

async function checkLeftOvers(folder: string): Promise<Finding[]> {
  const names = await readdir(folder);
  const candidates = names.filter(
    (name) => DRAFT_NAME.test(name) || isLeftOver(name, "clawtools.json"),
  );
  const found = await Promise.all(candidates.map((name) => toLeftOver(join(folder, name))));
  return found.flat();
}

async function toLeftOver(path: string): Promise<Finding[]> {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts?.isFile() || Date.now() - facts.mtimeMs < LEFT_OVER_AGE_MS) return [];
  return state.warning({
    what: `${show(path)} was left by a process that ended while writing.`,
    why: "Nothing uses it now, but a stale lock delays the next write.",
    remedy: `rm ${shellQuote(path)}`,
    fix: async () => {
      await rm(path, { force: true });
      return `Removed ${show(path)}.`;
    },
  });
}

function missing(folder: string): Finding[] {
  return state.note({
    what: `State folder ${show(folder)} does not exist yet; it is created on first use.`,
    remedy: `mkdir -p -m 700 ${shellQuote(folder)}`,
    fix: async () => {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      return `Created ${show(folder)} for this user only.`;
    },
  });
}

function noFolder(folder: string): Finding[] {
  return state.broken({
    what: `${show(folder)} is not a folder.`,
    why: "Undo, approvals and the audit do not work without it.",
    remedy: `mv ${shellQuote(folder)} ${shellQuote(`${folder}.old`)}`,
  });
}

function unreadable(folder: string, error: unknown): Finding[] {
  return state.broken({
    what: `The state folder ${show(folder)} cannot be read (${errnoOf(error) || "unknown error"}).`,
    why: "Undo, approvals and the audit do not work without it.",
    remedy: `ls -ld ${shellQuote(folder)}`,
  });
}

function show(path: string): string {
  return toPrintable(path, 4_096);
}

export async function checkInterrupted(toolkit: Toolkit, folder: string): Promise<Finding[]> {
  const facts = await lstat(join(folder, "state.db")).catch(() => undefined);
  // Opening it would tighten its mode and follow links, and the doctor only looks.
  if (facts === undefined || (facts.mode & OTHERS) !== 0) return [];
  if ((await checkKinds(folder)).length > 0) return [];
  try {
    const { length } = await toolkit.interrupted();
    if (length === 0) return [];
    return state.note({
      what: `Calls in this root that were interrupted, with unknown outcome: ${length}.`,
      why: "Files may be partly changed.",
      remedy: "clawtools undo --list",
    });
  } catch (error) {
    if (!isToolError(error)) throw error;
    return state.broken({
      what: toPrintable(error.message, 1_000),
      why: "Undo, approvals and the audit do not work.",
    });
  }
}

/** A symlink among the files of the state may lead anywhere. */
async function checkKinds(folder: string): Promise<Finding[]> {
  const found = await Promise.all(
    Object.entries(KINDS).map(async ([name, kind]): Promise<Finding[]> => {
      const path = join(folder, name);
      const facts = await lstat(path).catch(() => undefined);
      const isRight = kind === "file" ? facts?.isFile() : facts?.isDirectory();
      if (facts === undefined || isRight) return [];
      return state.broken({
        what: `${show(path)} is not a plain ${kind}.`,
        why: "Undo, approvals or the audit cannot use it.",
        remedy: `mv ${shellQuote(path)} ${shellQuote(`${path}.old`)}`,
      });
    }),
  );
  return found.flat();
}

async function checkWritable(folder: string): Promise<Finding[]> {
  try {
    await access(folder, constants.W_OK);
    return [];
  } catch (error) {
    return state.broken({
      what: `Cannot write in ${show(folder)} (${errnoOf(error) || "unknown error"}).`,
      why: "Calls still run, but they are not recorded.",
      remedy: `ls -ld ${shellQuote(folder)}`,
    });
  }
}
