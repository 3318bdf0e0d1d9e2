// The state folder: owner, permissions, free space, files that a crash left, interrupted calls.

import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, readdir, rm, stat, statfs } from "node:fs/promises";
import { basename, join } from "node:path";
import { AUDIT_NAMES } from "../../../audit/index.js";
import { isLeftOver } from "../../../config/edit/index.js";
import { GATEWAY_TOKEN_FILE } from "../../../config/index.js";
import { isToolError, type Toolkit } from "../../../core/index.js";
import { errnoOf, isMissing } from "../../../lib/errno.js";
import { toPrintable } from "../../../lib/printable.js";
import { shellQuote } from "../../../lib/system/shell-words.js";
import type { Finding } from "./finding.js";

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
/** Names in a state folder that are ours. */
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
/** The name of a file while it is being written. */
const DRAFT_NAME = /^exec-approvals\.json\.new$|^\..+\.clawtmp$/;

export async function checkState(folder: string): Promise<Finding[]> {
  try {
    const facts = await stat(folder);
    if (!facts.isDirectory()) return [noFolder(folder)];
    const inside = await Promise.all([
      checkSpace(folder),
      checkFiles(folder),
      checkLeftOvers(folder),
    ]);
    const foreign = (await readdir(folder)).find((name) => !OWN_NAMES.test(name));
    const found = [...checkFolder({ folder, facts, foreign }), ...inside.flat()];
    if (found.length > 0) return found;
    return [{ area: "state", level: "ok", what: `State folder ${show(folder)}.` }];
  } catch (error) {
    return [isMissing(error) ? missing(folder) : unreadable(folder, error)];
  }
}

interface FolderFacts {
  readonly folder: string;
  readonly facts: Stats;
  /** The name of something in it that is not ours. */
  readonly foreign: string | undefined;
}

function checkFolder({ folder, facts, foreign }: FolderFacts): Finding[] {
  const own = process.getuid?.();
  const findings: Finding[] = [];
  if (own !== undefined && facts.uid !== own && facts.uid !== 0) {
    findings.push({
      area: "state",
      level: "broken",
      what: `The state folder ${show(folder)} belongs to another user (${facts.uid}).`,
      why: "That user can read and change approvals, journal and config.",
      remedy: `sudo chown -R "$(id -u)" ${shellQuote(folder)}`,
    });
  }
  const open = checkMode({ path: folder, facts, mode: FOLDER_MODE });
  const shared = describeShared({ folder, facts, foreign });
  return [...findings, ...(shared === undefined ? open : open.map((one) => leave(one, shared)))];
}

/** Why a folder is not ours alone; undefined when it is. */
function describeShared({ folder, facts, foreign }: FolderFacts): string | undefined {
  if ((facts.mode & STICKY) !== 0) return "is a folder for several users";
  const isOurs = foreign === undefined || basename(folder) === DEFAULT_NAME;
  return isOurs ? undefined : `also holds ${show(foreign)}`;
}

/** The mode of a folder that others use is not changed. */
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
  return [
    {
      area: "state",
      level: "warning",
      what: `${show(path)} is open to other users of this machine (mode ${now}).`,
      why: "It may contain keys, grants and old file content.",
      remedy: `chmod ${wanted} ${shellQuote(path)}`,
      fix: async () => {
        await chmod(path, mode);
        return `${show(path)} now has mode ${wanted}.`;
      },
    },
  ];
}

async function checkSpace(folder: string): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= LOW_BYTES) return [];
  return [
    {
      area: "state",
      level: free === 0 ? "broken" : "warning",
      what: `The disk of ${show(folder)} has ${Math.floor(free / BYTES_PER_MIB)} MiB left.`,
      why: "Without free space, undo, approvals and the audit do not work.",
      remedy: `df -h ${shellQuote(folder)}`,
    },
  ];
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
  return [
    {
      area: "state",
      level: "warning",
      what: `${show(path)} was left by a process that ended while writing.`,
      why: "Nothing uses it now, but a stale lock delays the next write.",
      remedy: `rm ${shellQuote(path)}`,
      fix: async () => {
        await rm(path, { force: true });
        return `Removed ${show(path)}.`;
      },
    },
  ];
}

function missing(folder: string): Finding {
  return {
    area: "state",
    level: "note",
    what: `State folder ${show(folder)} does not exist yet; it is created on first use.`,
    remedy: `mkdir -p -m 700 ${shellQuote(folder)}`,
    fix: async () => {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      return `Created ${show(folder)} for this user only.`;
    },
  };
}

function noFolder(folder: string): Finding {
  return {
    area: "state",
    level: "broken",
    what: `${show(folder)} is not a folder.`,
    why: "Undo, approvals and the audit do not work without it.",
    remedy: `mv ${shellQuote(folder)} ${shellQuote(`${folder}.old`)}`,
  };
}

function unreadable(folder: string, error: unknown): Finding {
  return {
    area: "state",
    level: "broken",
    what: `The state folder ${show(folder)} cannot be read (${errnoOf(error) || "unknown error"}).`,
    why: "Undo, approvals and the audit do not work without it.",
    remedy: `ls -ld ${shellQuote(folder)}`,
  };
}

function show(path: string): string {
  return toPrintable(path, 4_096);
}

const DATABASES = ["state.db", "state.db-wal", "state.db-shm", "owner.lock", "owner.json"];

/** Calls that were running when their process ended. */
export async function checkInterrupted(toolkit: Toolkit, folder: string): Promise<Finding[]> {
  const databases = await Promise.all(DATABASES.map((name) => look(join(folder, name))));
  const odd = databases.find((one) => one !== undefined && !one.facts.isFile());
  if (odd !== undefined) return [toOdd(odd.path)];
  const [state] = databases;
  // Opening it would tighten its mode, and the doctor only looks; the mode is reported already.
  if (state === undefined || (state.facts.mode & OTHERS) !== 0) return [];
  try {
    const calls = await toolkit.interrupted();
    if (calls.length === 0) return [];
    return [
      {
        area: "state",
        level: "note",
        what:
          calls.length === 1
            ? "One call in this root was interrupted; its outcome is unknown."
            : `${calls.length} calls in this root were interrupted; their outcome is unknown.`,
        why: "Files may be partly changed.",
        remedy: "clawtools undo --list",
      },
    ];
  } catch (error) {
    if (!isToolError(error)) throw error;
    return [
      {
        area: "state",
        level: "broken",
        what: toPrintable(error.message, 1_000),
        why: "Undo, approvals and the audit do not work.",
      },
    ];
  }
}

async function look(
  path: string,
): Promise<{ readonly path: string; readonly facts: Stats } | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  return facts && { path, facts };
}

function toOdd(path: string): Finding {
  return {
    area: "state",
    level: "broken",
    what: `${toPrintable(path, 4_096)} is not a plain file.`,
    why: "It holds undo, the journal and approvals; a symlink may lead anywhere.",
    remedy: `ls -l ${shellQuote(path)}`,
  };
}
