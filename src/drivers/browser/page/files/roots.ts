// Which files a page may get, and where its files may be written: below the roots by real path, so
// that no link leads out.

import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { SavedFile } from "../../../../core/browser.js";
import { errnoOf } from "../../../../lib/errno.js";
import { isBelow } from "../../../../lib/paths.js";
import { fileMissing, pathOutsideRoot, rootIsNoFolder } from "../errors.js";
import type { PageFolders } from "../page-handle.js";

const DEFAULT_NAME = "download";
const MAX_NAME_CHARS = 80;
/** No spaces: names appear in our own sentences. */
const ODD_CHARS = /[^\p{L}\p{N}._()+=@-]/gu;
const LEADING_DOTS = /^[. ]+/;
const MAX_NUMBERED = 1_000;
const NAME_CHARS = 8;
const OWN_NAME = /^t\d+-[0-9a-f]{8}\.(?:png|jpeg|pdf)$/;
const MAX_FILES = 200;
const MAX_BYTES = 200 * 1024 * 1024;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Throws `path_outside_root`, `file_missing`. */
export async function resolveReadable(
  path: string,
  { uploadRoots: roots, closed, artifacts }: PageFolders,
): Promise<string> {
  const real = await realpath(resolve(roots[0] ?? "/", path)).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") throw fileMissing(path);
    throw error;
  });
  // Our own folder must not be a link; the others may be.
  const places = await Promise.all(
    roots.map((root) => (root === artifacts ? realOfOwn(root) : realpath(root).catch(() => root))),
  );
  if (!places.some((place) => isBelow(real, place))) throw pathOutsideRoot(path, roots);
  if ((await isInReal(real, closed)) && !isBelow(real, await realOfOwn(artifacts))) {
    throw pathOutsideRoot(path, roots);
  }
  if (!(await stat(real)).isFile()) throw fileMissing(path);
  return real;
}

interface WriteRequest {
  /** undefined: the root. */
  readonly path: string | undefined;
  readonly root: string;
  readonly suggestedName: string;
}

/** In a folder, the suggested name never replaces a file. */
export async function resolveWritable(request: WriteRequest): Promise<string> {
  const { root } = request;
  const name = toFileName(request.suggestedName);
  const path = request.path ?? name;
  const absolute = request.path === undefined ? root : resolve(root, withoutRootName(path, root));
  if (absolute === root || path.endsWith("/") || (await isFolder(absolute))) {
    return freeName(await judgeFolder(absolute, { path, root }), name);
  }
  const folder = await judgeFolder(dirname(absolute), { path, root });
  return join(folder, basename(absolute));
}

/** `downloads/a.csv` means that folder, not one inside it. */
function withoutRootName(path: string, root: string): string {
  const start = `${basename(root)}/`;
  return path.startsWith(start) ? path.slice(start.length) : path;
}

export function toFileName(suggested: string): string {
  const [last = ""] = suggested.split(/[\\/]/).slice(-1);
  const plain = last.replace(ODD_CHARS, "_").replace(LEADING_DOTS, "").slice(-MAX_NAME_CHARS);
  return plain.trim() || DEFAULT_NAME;
}

/** Throws as `resolveWritable` and `assertReplaceable` do. */
export async function assertWritable(path: string, root: string): Promise<void> {
  const target = await resolveWritable({ path, root, suggestedName: DEFAULT_NAME });
  await assertReplaceable(target, root);
}

async function assertReplaceable(path: string, root: string): Promise<void> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts && !facts.isFile()) throw pathOutsideRoot(path, [root]);
}

async function judgeFolder(
  folder: string,
  { path, root }: Pick<WriteRequest, "root"> & { readonly path: string },
): Promise<string> {
  const isReallyIn = async () => isIn(await realOfNearest(folder), await realOfOwn(root));
  if (!isIn(folder, root) && !(await isReallyIn())) throw pathOutsideRoot(path, [root]);
  const facts = await lstat(root).catch(() => undefined);
  if (facts && !facts.isDirectory()) throw rootIsNoFolder(root);
  if (facts && !(await isReallyIn())) throw pathOutsideRoot(path, [root]);
  return folder;
}

async function realOfNearest(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined || at === dirname(at)) return real ?? at;
  }
}

/** Resolves the parent, but not the folder itself. */
export async function realOfOwn(folder: string): Promise<string> {
  const parent = dirname(folder);
  return join(await realpath(parent).catch(() => parent), basename(folder));
}

async function isInReal(real: string, folder: string | undefined): Promise<boolean> {
  if (folder === undefined) return false;
  return isBelow(real, await realpath(folder).catch(() => folder));
}

function isIn(real: string, place: string): boolean {
  return real === place || isBelow(real, place);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function freeName(folder: string, name: string): Promise<string> {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let number = 1; number <= MAX_NUMBERED; number += 1) {
    const path = join(folder, number === 1 ? name : `${stem} (${number})${ending}`);
    if ((await lstat(path).catch(() => undefined)) === undefined) return path;
  }
  return join(folder, `${stem} (${MAX_NUMBERED})${ending}`);
}

export async function saveFile(
  { downloads, files }: PageFolders,
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
): Promise<Pick<SavedFile, "path" | "bytes" | "replaced">> {
  await assertReplaceable(path, downloads);
  const isThere = (await stat(path).catch(() => undefined)) !== undefined;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  await files.writeFile({ filePath: path, data });
  return { path, bytes: bytes.length, ...(isThere && { replaced: true as const }) };
}

export async function keepArtifact(request: {
  readonly folder: string;
  readonly targetId: string;
  readonly ending: string;
  readonly bytes: Uint8Array;
}): Promise<string> {
  const { folder, targetId, ending, bytes } = request;
  await mkdir(folder, { recursive: true });
  if ((await realpath(folder)) !== (await realOfOwn(folder))) throw pathOutsideRoot(folder, []);
  const path = join(folder, `${targetId}-${randomUUID().slice(0, NAME_CHARS)}.${ending}`);
  await writeFile(path, bytes, { flag: "wx" });
  await pruneArtifacts(folder, {});
  return path;
}

/** Keeps the newest files within the limits; with `nowMs`, none older than a day. Never rejects. */
export async function pruneArtifacts(
  folder: string,
  { nowMs }: { readonly nowMs?: number | undefined },
): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const found = await Promise.all(
    names.filter((name) => OWN_NAME.test(name)).map((name) => readFacts(join(folder, name))),
  );
  const files = found.filter((facts) => facts !== undefined);
  files.sort((one, other) => other.atMs - one.atMs);
  let bytes = 0;
  const old = files.filter((file, index) => {
    bytes += file.bytes;
    const isOld = nowMs !== undefined && nowMs - file.atMs > MAX_AGE_MS;
    return index > 0 && (isOld || index >= MAX_FILES || bytes > MAX_BYTES);
  });
  await Promise.all(old.map(({ path }) => rm(path, { force: true }).catch(() => undefined)));
}

async function readFacts(path: string) {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts?.isFile()) return undefined;
  return { path, bytes: facts.size, atMs: facts.mtimeMs };
}
