// Replaces a whole file: synced, locked, and only if it is still what was read.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ToolError, ToolInputError } from "../../core/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { toPrintable } from "../../lib/printable.js";
import type { ProcessOwners } from "../../lib/system/rename-lock.js";
import type { ConfigPlace } from "../file/paths.js";
import type { ConfigProblem } from "../problem.js";
import type { ClawtoolsConfig } from "../schema.js";
import { type ConfigEdit, planConfigChange } from "./plan-change.js";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const MODE_BITS = 0o7777;
const OWNER_WRITES = 0o200;
const NONCE_BYTES = 6;
const MAX_WAIT_MS = 5_000;
const PAUSE_MS = 15;
/** Anyone who holds it this long has died: a write takes milliseconds. */
const STALE_LOCK_MS = 30_000;
const MAKE_NEW =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const LOCK_ENDING = ".lock";
const DRAFT_ENDING = ".clawtmp";

interface Replacement {
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly text: string;
  /** Of a file that is made; one that is there keeps its own. Default: for its user alone. */
  readonly mode?: number;
  /** Without it, only its age shows that a lock was left by a dead process. */
  readonly owners?: ProcessOwners | undefined;
}

/** Throws `conflict` / `file_changed`, and `unavailable` / `file_unwritable`; then nothing is written. */
export async function replaceFile(replacement: Replacement): Promise<void> {
  const { path } = replacement;
  try {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
    await assertWritable(path);
    const lock = join(dirname(path), `.${basename(path)}${LOCK_ENDING}`);
    await takeLock(lock, replacement);
    try {
      await writeAndRename(replacement);
    } finally {
      await rm(lock, { force: true });
    }
  } catch (error) {
    throw toWriteError(error, path);
  }
}

export function isLeftOver(name: string, fileName: string): boolean {
  return (
    name.startsWith(`.${fileName}.`) && (name.endsWith(DRAFT_ENDING) || name.endsWith(LOCK_ENDING))
  );
}

export async function removeLeftOvers(path: string, owners: ProcessOwners): Promise<void> {
  const folder = dirname(path);
  const names = (await readdir(folder)).filter((name) => isLeftOver(name, basename(path)));
  if (names.length === 0) return;
  const lock = join(folder, `.${basename(path)}${LOCK_ENDING}`);
  await takeLock(lock, { path, owners });
  for (const name of names) await rm(join(folder, name), { force: true });
  await rm(lock, { force: true });
}

async function writeAndRename({
  path,
  before,
  text,
  mode = FILE_MODE,
}: Replacement): Promise<void> {
  const draft = toDraft(path);
  try {
    const old = before === undefined ? undefined : await stat(path);
    const handle = await open(draft, MAKE_NEW, FILE_MODE);
    try {
      await handle.writeFile(text);
      if (old === undefined) await handle.chmod(mode);
      else await likeOld(handle, old);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!(await isStill(path, before))) throw changed(path);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
}

function toDraft(path: string): string {
  const name = basename(path).replace(/^\./, "");
  const nonce = randomBytes(NONCE_BYTES).toString("hex");
  return join(dirname(path), `.${name}.${nonce}${DRAFT_ENDING}`);
}

async function likeOld(
  handle: FileHandle,
  old: { readonly mode: number; readonly uid: number; readonly gid: number },
): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== old.uid || own.gid !== old.gid) await handle.chown(old.uid, old.gid);
  await handle.chmod(old.mode & MODE_BITS);
}

async function isStill(path: string, before: Buffer | undefined): Promise<boolean> {
  try {
    const now = await readFile(path);
    return before?.equals(now) === true;
  } catch (error) {
    if (isMissing(error)) return before === undefined;
    throw error;
  }
}

/** A rename needs no right on the file itself: who made it read-only means it. */
async function assertWritable(path: string): Promise<void> {
  const facts = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (facts === undefined || (facts.mode & OWNER_WRITES) !== 0) return;
  throw unwritable(path, "is read-only");
}

/** Its owner is in it from the start, so that a lock of a killed process is known as one at once. */
async function makeLock(lock: string, own: string): Promise<void> {
  const draft = toDraft(lock);
  try {
    await writeFile(draft, own, { flag: MAKE_NEW, mode: FILE_MODE });
    await link(draft, lock);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw error;
    // A file system without hard links.
    await writeFile(lock, own, { flag: MAKE_NEW, mode: FILE_MODE });
  } finally {
    await rm(draft, { force: true });
  }
}

async function takeLock(
  lock: string,
  { path, owners }: Pick<Replacement, "path" | "owners">,
): Promise<void> {
  const beganMs = performance.now();
  for (;;) {
    try {
      return await makeLock(lock, owners?.own ?? "");
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
    if (await isStale(lock, owners)) await rm(lock, { force: true });
    else if (performance.now() - beganMs > MAX_WAIT_MS) {
      throw unwritable(path, "is being written by another process");
    } else await pause(PAUSE_MS);
  }
}

async function isStale(lock: string, owners: ProcessOwners | undefined): Promise<boolean> {
  try {
    const { mtimeMs } = await lstat(lock);
    const ageMs = Date.now() - mtimeMs;
    if (ageMs > STALE_LOCK_MS) return true;
    const owner = owners && (await readFile(lock, "utf8"));
    return owner !== undefined && owner !== "" && owners?.isDead(owner, ageMs) === true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A failed sync of the folder is not an error: the file is in place. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function changed(path: string): ToolError {
  return new ToolError(
    "conflict",
    `"${toPrintable(path, 4_096)}" was changed meanwhile and is left as it is; run the command again.`,
    { reason: "file_changed" },
  );
}

function unwritable(path: string, why: string, cause?: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `"${toPrintable(path, 4_096)}" ${why}; nothing was changed.`,
    { reason: "file_unwritable", cause },
  );
}

function toWriteError(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (error instanceof ToolError || errno === "") return error;
  return unwritable(path, `cannot be written (${errno})`, error);
}

/** Throws `invalid_input` / `config_invalid` with `details.issues`; then nothing is written. */
export async function writeConfigEdits(
  place: ConfigPlace,
  request: {
    readonly edits: readonly ConfigEdit[];
    readonly owners: ProcessOwners;
    readonly beforeChange?: (next: ClawtoolsConfig) => Promise<void>;
  },
): Promise<void> {
  const { edits, owners, beforeChange } = request;
  const plan = await planConfigChange(place, edits);
  if (!plan.after.ok) throw configUnusable(plan.after.problems);
  if (!plan.isChange) return;
  await beforeChange?.(plan.after.config);
  const { file: path, bytes: before, text } = plan;
  await replaceFile({ path, before, text, owners });
}

export function configUnusable(problems: readonly ConfigProblem[]): ToolInputError {
  const issues = problems
    .filter(({ severity }) => severity === "error")
    .map(({ path, message }) => ({ path, message }));
  const [first] = issues;
  const what = first === undefined ? "" : `: ${showPlace(first.path)}${first.message}`;
  return new ToolInputError(`invalid config${what}`, {
    reason: "config_invalid",
    details: { issues },
  });
}

function showPlace(path: string): string {
  return path === "" ? "" : `${path} `;
}
