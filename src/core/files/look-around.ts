// For a missing path: the deepest existing folder on it, and similar names there.

import { countEdits } from "../../lib/nearest-name.js";
import { toPlainMarks } from "../../lib/plain-marks.js";
import { toPrintable } from "../../lib/printable.js";
import { ToolError } from "../errors.js";
import type { FsBridge, FsEntry, FsPath } from "../ports/fs-bridge.js";
import { fileMissing, linkToNothing } from "./errors.js";
import { foldersOf } from "./made-folders.js";
import { toPlainPath } from "./request.js";

const MAX_NEAR = 3;
const MAX_COMPARED_CHARS = 100;
const MAX_DIFFERENT_SHARE = 0.4;
const MAX_LISTED = 1_000;
const MAX_ASKED_FOLDERS = 32;
const MAX_NAME_CHARS = 80;
const ROOT = ".";

interface Surroundings {
  readonly folder: string;
  readonly name: string;
  readonly rest: readonly string[];
  readonly entries: readonly FsEntry[];
}

/** undefined when the bridge cannot list, or the path names no file. */
export async function lookAround(
  bridge: FsBridge,
  file: FsPath,
): Promise<Surroundings | undefined> {
  if (typeof bridge.list !== "function" || file.filePath.endsWith("/")) return undefined;
  const path = toPlainPath(file.filePath);
  const folder = await findDeepest(bridge, { ...file, filePath: path });
  if (folder === undefined) return undefined;
  const entries = await listNames(bridge, { ...file, filePath: folder, limit: MAX_LISTED });
  const names = (folder === ROOT ? path : path.slice(folder.length)).split("/");
  const [name, ...rest] = names.filter((part) => part !== "");
  return entries && name !== undefined ? { folder, name, rest, entries } : undefined;
}

export async function explainMissing(bridge: FsBridge, file: FsPath): Promise<ToolError> {
  const around = await lookAround(bridge, file);
  return around ? describeMissing(bridge, { file, around }) : fileMissing(file.filePath);
}

export async function describeMissing(
  bridge: FsBridge,
  { file, around }: { readonly file: FsPath; readonly around: Surroundings },
): Promise<ToolError> {
  const { folder, name, rest, entries } = around;
  const own = entries.find((entry) => entry.name === name);
  if (rest.length === 0 && own?.type === "other") return linkToNothing(file.filePath);
  const wanted = rest.length === 0 ? ["file", "directory"] : ["directory"];
  const known = entries.filter(({ type }) => wanted.includes(type));
  const others = known.map((entry) => entry.name).filter((own) => own !== name);
  const paths = findNear(name, others).map((own) => joinPath(folder, own));
  const near = rest.length === 0 ? paths : await followRest(bridge, { file, paths, rest });
  if (near.length === 0 && rest.length === 0) return fileMissing(file.filePath);
  const why =
    rest.length === 0
      ? ""
      : `: folder ${quote(joinPath(folder, name))} does not exist; the deepest existing folder is ${describeFolder(folder)}`;
  const hint =
    near.length === 0
      ? ""
      : ` Did you mean ${near.map((path) => quoteNear(path, file.filePath)).join(" or ")}?`;
  return new ToolError(
    "not_found",
    `"${toPrintable(file.filePath)}" does not exist${why}.${hint}`,
    {
      reason: "file_missing",
      details: { ...(near.length > 0 ? { near } : {}), ...(rest.length > 0 ? { folder } : {}) },
    },
  );
}

async function findDeepest(bridge: FsBridge, file: FsPath): Promise<string | undefined> {
  const above = foldersOf(file.filePath);
  if (above.length > MAX_ASKED_FOLDERS) return undefined;
  for (const folder of above) {
    const stat = await statQuietly(bridge, { ...file, filePath: folder });
    if (stat === undefined) return undefined;
    if (stat !== null) return stat.type === "directory" ? folder : undefined;
  }
  return file.filePath.startsWith("/") ? "/" : ROOT;
}

async function followRest(
  bridge: FsBridge,
  given: {
    readonly file: FsPath;
    readonly paths: readonly string[];
    readonly rest: readonly string[];
  },
): Promise<readonly string[]> {
  const { file, paths, rest } = given;
  const whole: string[] = [];
  for (const path of paths) {
    const filePath = [path, ...rest].join("/");
    if (await statQuietly(bridge, { ...file, filePath })) whole.push(filePath);
  }
  return whole.length > 0 ? whole : paths;
}

async function statQuietly(bridge: FsBridge, file: FsPath) {
  try {
    return await bridge.stat(file);
  } catch (error) {
    if (file.signal?.aborted) throw error;
    return undefined;
  }
}

function joinPath(folder: string, name: string): string {
  return toPlainPath(`${folder}/${name}`);
}

function describeFolder(folder: string): string {
  return folder === ROOT ? "the root" : quote(folder);
}

function quoteNear(path: string, asked: string): string {
  const isAlike = path.normalize("NFKC") === toPlainPath(asked).normalize("NFKC");
  return isAlike ? toPlainLetters(path) : quote(path);
}

function quote(name: string): string {
  return `"${toPrintable(name, MAX_NAME_CHARS)}"`;
}

/** undefined when the bridge cannot list, or this folder not. */
export async function listNames(
  bridge: FsBridge,
  { limit, ...folder }: FsPath & { readonly limit: number },
): Promise<FsEntry[] | undefined> {
  if (typeof bridge.list !== "function") return undefined;
  try {
    const entries = await bridge.list({ ...folder, limit });
    return entries.filter(({ name }) => typeof name === "string");
  } catch (error) {
    if (folder.signal?.aborted) throw error;
    return undefined;
  }
}

export function findVariants(name: string, known: readonly string[]): string[] {
  const wanted = fold(name);
  return known.filter((candidate) => candidate !== name && fold(candidate) === wanted);
}

function findNear(name: string, known: readonly string[]): string[] {
  const wanted = fold(name);
  if (wanted.length > MAX_COMPARED_CHARS) return [];
  return known
    .map((candidate) => ({ candidate, distance: measure(wanted, fold(candidate)) }))
    .filter(({ distance }) => distance !== undefined)
    .sort((left, right) => (left.distance ?? 0) - (right.distance ?? 0))
    .slice(0, MAX_NEAR)
    .map(({ candidate }) => candidate);
}

function fold(name: string): string {
  return toPlainMarks(name.normalize("NFC")).toLowerCase();
}

/** How many letters differ; undefined when too many do. A name whose ending is missing is near. */
function measure(wanted: string, other: string): number | undefined {
  const longer = Math.max(wanted.length, other.length);
  const maxDistance = Math.floor(longer * MAX_DIFFERENT_SHARE);
  if (other.startsWith(`${wanted}.`)) return 1;
  if (other.length > MAX_COMPARED_CHARS) return undefined;
  if (Math.abs(wanted.length - other.length) > maxDistance) return undefined;
  const distance = countEdits(wanted, other);
  return distance <= maxDistance ? distance : undefined;
}

/** As JSON with nothing but ASCII: names that look the same must be distinguished. */
export function toPlainLetters(name: string): string {
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
