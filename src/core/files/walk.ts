// Walks folders through a bridge in a fixed order, leaving out what `.gitignore` files name.

import { toPrintable } from "../../lib/printable.js";
import { ToolError } from "../errors.js";
import type { FsBridge, FsEntry, FsStat } from "../ports/fs-bridge.js";
import { explainMissing } from "./look-around.js";
import { type IgnoreLayer, isIgnored, parseIgnoreFile } from "./path-glob.js";
import { toBytes, toPlainPath, toStat } from "./request.js";

const MAX_ENTRIES = 200_000;
const MAX_FOLDER_ENTRIES = 100_000;
const MAX_DEPTH = 128;
const MAX_IGNORE_FILE_BYTES = 1024 * 1024;
const MAX_NAMED = 5;
const IGNORE_FILE = ".gitignore";
const GIT_FOLDER = ".git";
const ROOT = ".";

export interface Place {
  readonly bridge: FsBridge;
  readonly root: string;
  readonly signal: AbortSignal;
}

interface WalkRequest extends Place {
  readonly folder: string;
  readonly includeIgnored: boolean;
}

export interface WalkedEntry {
  readonly path: string;
  readonly names: readonly string[];
  readonly type: FsStat["type"];
  readonly isLink: boolean;
}

export interface WalkReport {
  readonly unreadable: string[];
  isCut: boolean;
}

/** Throws for a missing path, with names that are near. A bridge may not know its own root. */
export async function statPlace({ bridge, root, signal }: Place, path: string): Promise<FsStat> {
  if (path === ROOT) return { type: "directory", size: 0, mtimeMs: 0 };
  const file = { filePath: path, cwd: root, signal };
  const stat = toStat(await bridge.stat(file), path);
  if (stat === null) throw await explainMissing(bridge, file);
  return stat;
}

export async function listFolder(
  { bridge, root, signal }: Place,
  folder: string,
): Promise<FsEntry[]> {
  if (typeof bridge.list !== "function") throw cannotList();
  const request = { filePath: folder, cwd: root, signal, limit: MAX_FOLDER_ENTRIES };
  const entries = await bridge.list(request);
  const keys = new Map(entries.map((entry) => [entry, sortKey(entry)]));
  return entries.sort((one, other) => compare(keys.get(one) ?? "", keys.get(other) ?? ""));
}

export async function* walkFolder(
  request: WalkRequest,
  report: WalkReport,
): AsyncGenerator<WalkedEntry> {
  const base = namesFromRoot(request);
  const layers = request.includeIgnored ? [] : await readLayersAbove(request, base);
  const stack = [await openFrame(request, { names: [], base, layers })];
  for (let seen = 0; stack.length > 0; ) {
    const frame = stack.at(-1);
    const entry = frame?.entries[frame.next];
    if (!frame || !entry) {
      stack.pop();
      continue;
    }
    frame.next += 1;
    if (seen++ >= MAX_ENTRIES) {
      report.isCut = true;
      return;
    }
    const isFolder = entry.type === "directory";
    const names = [...frame.names, entry.name];
    if (isFolder && entry.name === GIT_FOLDER) continue;
    if (isIgnored(frame.layers, { names: [...base, ...names], isFolder })) continue;
    const isLink = entry.isLink === true;
    const path = joinNames(base, names);
    yield { path, names, type: entry.type, isLink };
    if (!isFolder || isLink || names.length >= MAX_DEPTH) continue;
    const below = await openFrame(request, { names, base, layers: frame.layers }).catch(
      (error: unknown) => skip(error, { request, report, path }),
    );
    if (below) stack.push(below);
  }
}

export function skip(
  error: unknown,
  { request, report, path }: { request: Place; report: WalkReport; path: string },
): undefined {
  if (request.signal.aborted) throw error;
  report.unreadable.push(path);
}

export function describeWalk({ unreadable, isCut }: WalkReport): string[] {
  const named = unreadable.slice(0, MAX_NAMED).map((path) => toPrintable(path));
  const more = unreadable.length - named.length;
  return [
    ...(named.length === 0
      ? []
      : [`Not readable, skipped: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`]),
    ...(isCut ? [`Stopped after ${MAX_ENTRIES} entries; name a smaller folder in path.`] : []),
  ];
}

export function withNotice(text: string, sentences: readonly string[]): string {
  return sentences.length === 0 ? text : `${text}\n\n[${sentences.join(" ")}]`;
}

interface Frame {
  readonly names: readonly string[];
  readonly layers: readonly IgnoreLayer[];
  readonly entries: readonly FsEntry[];
  next: number;
}

interface FramePlace {
  readonly names: readonly string[];
  readonly base: readonly string[];
  readonly layers: readonly IgnoreLayer[];
}

async function openFrame(
  request: WalkRequest,
  { names, base, layers }: FramePlace,
): Promise<Frame> {
  const folder = joinNames(base, names);
  const entries = await listFolder(request, folder);
  const hasRules =
    !request.includeIgnored &&
    entries.some(({ name, type }) => name === IGNORE_FILE && type === "file");
  const own = hasRules ? await readLayer(request, [...base, ...names]) : undefined;
  return { names, layers: own ? [...layers, own] : layers, entries, next: 0 };
}

async function readLayersAbove(
  request: WalkRequest,
  base: readonly string[],
): Promise<readonly IgnoreLayer[]> {
  const layers = await Promise.all(
    base.map((_, depth) => readLayer(request, base.slice(0, depth))),
  );
  return layers.filter((layer) => layer !== undefined);
}

async function readLayer(
  { bridge, root, signal }: WalkRequest,
  folder: readonly string[],
): Promise<IgnoreLayer | undefined> {
  const filePath = joinNames(folder, [IGNORE_FILE]);
  const file = { filePath, cwd: root, signal };
  try {
    const stat = toStat(await bridge.stat(file), filePath);
    if (stat?.type !== "file" || stat.size > MAX_IGNORE_FILE_BYTES) return undefined;
    return parseIgnoreFile(
      toBytes(await bridge.readFile(file), filePath).toString(),
      folder.length,
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

function namesFromRoot({ folder, root }: WalkRequest): readonly string[] {
  const plain = toPlainPath(folder);
  const start = toPlainPath(root);
  const inside = plain === start || plain.startsWith(`${start}/`);
  const relative = inside && plain.startsWith("/") ? plain.slice(start.length + 1) : plain;
  if (relative.startsWith("/")) return [relative];
  return relative.split("/").filter((name) => name !== "");
}

function joinNames(base: readonly string[], names: readonly string[]): string {
  return [...base, ...names].join("/") || ROOT;
}

function sortKey({ name, type }: FsEntry): string {
  return type === "directory" ? `${name}/` : name;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function cannotList(): ToolError {
  return new ToolError(
    "unavailable",
    "This file bridge cannot list folders, so nothing can be searched. Use a bridge with `list`.",
    { reason: "bridge_cannot_list" },
  );
}
