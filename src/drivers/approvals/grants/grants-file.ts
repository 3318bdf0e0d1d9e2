// `exec-approvals.json` in the state folder. An unreadable file is never overwritten.
import { type BigIntStats, constants, lstatSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type ApprovalsDocument, parseText } from "../../../config/index.js";
import { ToolError } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { makeFolder } from "../../../lib/make-folder.js";
import { type LockPorts, withLock } from "../../../lib/system/rename-lock.js";
import { approvalsBroken } from "../errors.js";
import { EMPTY_APPROVALS, type FileContent, readApprovalsFile, readDocument } from "./read-file.js";

const MISSING = "missing";
const FILE_MODE = 0o600;

const MAKE_NEW =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Errors of systems where a folder cannot be synced. */
const UNSUPPORTED = ["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EBADF"];
const MAX_WAIT_MS = 10_000;
export const APPROVALS_FILE_NAME = "exec-approvals.json";
const FOLDER_MODE = 0o700;
const MAX_EDITS = 20;
const JSON_INDENT = 2;

type Edit = (document: ApprovalsDocument) => ApprovalsDocument;

export interface GrantsFile {
  /** A path, or the name of an option. */
  readonly place: string;
  /** Throws `approvals_broken`. */
  read(): Promise<ApprovalsDocument>;
  /** Locks between processes; `edit` gets the newest document, and its result is on disk afterwards. */
  change(edit: Edit): Promise<void>;
}

interface GrantsFileOptions extends LockPorts {
  readonly path: string;
}

export function createGrantsFile(options: GrantsFileOptions): GrantsFile {
  const { path } = options;
  let held: { readonly version: string; readonly document: ApprovalsDocument } | undefined;

  function parseContent(content: FileContent): ApprovalsDocument {
    if (content.kind === "missing") return EMPTY_APPROVALS;
    if (content.kind === "unusable") throw approvalsBroken(path, content.problem);
    const document = readDocument(path, parseJson(path, content.text));
    held = { version: toVersion(content.facts), document };
    return document;
  }

  /** False: an editor, which ignores the lock, has written meanwhile. */
  async function editOnce(edit: Edit): Promise<boolean> {
    const before = await readApprovalsFile(path);
    const document = parseContent(before);
    const changed = edit(document);
    if (changed === document) return true;
    return replaceApprovalsFile(path, {
      text: `${JSON.stringify(changed, null, JSON_INDENT)}\n`,
      isCurrent: async () => isSame(before, await readApprovalsFile(path)),
    });
  }

  return {
    place: path,
    async read() {
      const version = readVersion(path);
      if (version === MISSING) return EMPTY_APPROVALS;
      if (version !== undefined && held?.version === version) return held.document;
      return parseContent(await readApprovalsFile(path));
    },
    async change(edit) {
      try {
        await makeFolder(dirname(path), FOLDER_MODE);
        const { clock, random, owners } = options;
        const folder = `${path}.lock`;
        const busy = () => busyList(folder);
        const lock = { clock, random, owners, folder, maxWaitMs: MAX_WAIT_MS, busy };
        await withLock(lock, () => editUntilDone(edit));
      } catch (error) {
        throw toWriteError(path, error);
      }
    },
  };

  async function editUntilDone(edit: Edit): Promise<void> {
    for (let tries = 0; tries < MAX_EDITS; tries++) if (await editOnce(edit)) return;
    throw new ToolError(
      "unavailable",
      `"${path}" is being written by others all the time; try again.`,
      { reason: "approvals_busy" },
    );
  }
}

/** Changes with every write. Synchronous, because the thread pool would take longer. */
function readVersion(path: string): string | undefined {
  try {
    const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return facts === undefined ? MISSING : toVersion(facts);
  } catch {
    // Reading the file reports why.
    return undefined;
  }
}

function toVersion({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

function parseJson(path: string, text: string): unknown {
  try {
    JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "unreadable";
    throw approvalsBroken(path, `it is not JSON (${why})`);
  }
  // JSON.parse takes the last of two equal keys in silence.
  const parsed = parseText(text, JSON.parse);
  if (parsed.ok) return parsed.value;
  const [fault] = parsed.faults;
  throw approvalsBroken(path, `it ${fault?.message}`);
}

function isSame(one: FileContent, other: FileContent): boolean {
  if (one.kind === "missing") return other.kind === "missing";
  return one.kind === "text" && other.kind === "text" && one.text === other.text;
}

function toWriteError(path: string, error: unknown): unknown {
  if (error instanceof ToolError || errnoOf(error) === "") return error;
  return new ToolError(
    "unavailable",
    `"${path}" could not be written (${errnoOf(error)}); nothing was changed.`,
    { reason: "approvals_unwritable", cause: error },
  );
}

function busyList(folder: string): ToolError {
  return new ToolError(
    "unavailable",
    `The approvals are being changed by another process since ${MAX_WAIT_MS / 1_000} seconds; end it, or remove "${folder}" when there is none.`,
    { reason: "approvals_busy" },
  );
}

/** `isCurrent` is asked last; false: nothing was written. */
async function replaceApprovalsFile(
  path: string,
  { text, isCurrent }: { readonly text: string; readonly isCurrent: () => Promise<boolean> },
): Promise<boolean> {
  const draft = `${path}.new`;
  // Left by a killed process.
  await rm(draft, { force: true });
  try {
    await writeDraft(draft, text);
    if (!(await isCurrent())) return false;
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
  return true;
}

async function writeDraft(draft: string, text: string): Promise<void> {
  const handle = await open(draft, MAKE_NEW, FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!UNSUPPORTED.includes(errnoOf(error))) throw error;
  }
}

const PLACE = "the option approvals";

export function createMemoryGrants(given: unknown): GrantsFile {
  // The program may change its own object later.
  const copy: unknown = structuredClone(given);
  let current: ApprovalsDocument | undefined;

  async function read(): Promise<ApprovalsDocument> {
    current ??= readDocument(PLACE, copy);
    return current;
  }

  return {
    place: PLACE,
    read,
    async change(edit) {
      await read();
      // No await between reading and writing.
      if (current) current = edit(current);
    },
  };
}
