// Finds and hashes files that arguments name and a program may run, so that changes are noticed.

import type { Stats } from "node:fs";
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import {
  type BoundFile,
  findUnnamed,
  isInterpreter,
  type PlanRedirect,
  type ProgramNames,
} from "../../core/command/index.js";
import { errnoOf } from "../../lib/errno.js";
import { isInside } from "../../lib/paths.js";
import { wholeRealPath } from "../../lib/system/real-path.js";
import { hashBounded } from "./hash.js";
import { realFolder, statOf, toAbsolute } from "./look.js";

const MAX_FILES = 64;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;
const MAX_LOOKS = 2_000;
const MAX_WORDS = 32;
/** Option letters before a value in the same word. */
const MAX_LETTERS = 8;
const MAX_FOLDERS = 16;
const MAX_FURTHER_LOOKS = 8_000;
/** They run the files in a given folder. */
const FOLDER_RUNNERS = /(?:^|\/)(?:run-parts|prove)$/;
/** Only root can change these. */
const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/proc", "/sys", "/dev"];
const BREAKS = /[\s;&|()<>'"`=:,@{}[\]!$\\]+/;
/** What interpreters append to a name. */
const ENDINGS =
  ".js .cjs .mjs .ts .json .py .rb .pl .php .lua /index.js /package.json /__main__.py".split(" ");
/** Files that programs find in the folder and above. */
const OWN_FILES: readonly (readonly [program: RegExp, names: readonly string[]])[] = [
  [/^prove$/, [".proverc"]],
  [/^ctest$/, ["CTestTestfile.cmake"]],
  [/^g?make$/, ["GNUmakefile", "makefile", "Makefile"]],
  [/^(?:npm|npm-cli\.js|npx|npx-cli\.js|pnpm|yarn|bun)$/, ["package.json", ".npmrc"]],
  [
    /^(?:just|rake|cargo|task)$/,
    "justfile Justfile Rakefile Cargo.toml build.rs Taskfile.yml".split(" "),
  ],
];

export interface BindRequest {
  /** As found, and with links resolved. */
  readonly names: ProgramNames;
  readonly args: readonly string[];
  readonly redirects: readonly PlanRedirect[];
  readonly cwd: string;
  readonly root: string;
  readonly known: readonly string[];
  readonly signal: AbortSignal;
}

export interface BoundFiles {
  readonly files: readonly BoundFile[];
  readonly unbound?: string;
}

export async function bindFiles(request: BindRequest): Promise<BoundFiles> {
  const { signal } = request;
  const found = findFiles(request);
  const files: BoundFile[] = [];
  let leftBytes = MAX_TOTAL_BYTES;
  let unbound = found.isCut
    ? "it names more files than are looked at"
    : findUnnamed(request.names, request.args);
  for (const { path, stats } of found.files) {
    const maxBytes = Math.min(MAX_FILE_BYTES, leftBytes);
    const isTooMany = files.length >= MAX_FILES || stats.size > maxBytes;
    const contentHash = isTooMany ? undefined : await tryHash(path, { maxBytes, signal });
    if (contentHash === undefined)
      unbound ??= `"${path}" is too large, unreadable, or one too many`;
    else files.push({ path, contentHash });
    leftBytes -= isTooMany ? 0 : stats.size;
  }
  return { files, ...(unbound === undefined ? {} : { unbound }) };
}

/** An unreadable or missing file cannot be bound. */
async function tryHash(
  path: string,
  limit: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  try {
    return await hashBounded(path, limit);
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return undefined;
  }
}

interface NamedFile {
  readonly path: string;
  readonly stats: Stats;
}

function findFiles(request: BindRequest): { files: readonly NamedFile[]; isCut: boolean } {
  const { known, root } = request;
  const files = new Map<string, NamedFile>();
  const look = (names: Iterable<string>, maxLooks: number) => {
    let left = maxLooks;
    for (const name of names) {
      if (--left < 0) return true;
      const file = findFile(name);
      if (file === undefined || known.includes(file.path)) continue;
      const isOurs = isInside(file.path, root);
      if (isOurs || !SYSTEM_FOLDERS.some((folder) => isInside(file.path, folder))) {
        files.set(file.path, file);
      }
    }
    return false;
  };
  const isCut = look(namesOf(request), MAX_LOOKS);
  const { folders, areAll } = findFolders(request);
  const isFurtherCut = look(furtherNamesOf(request, folders), MAX_FURTHER_LOOKS);
  return { files: [...files.values()], isCut: isCut || isFurtherCut || !areAll };
}

/** Folders named by a word or a part of one, except the working folder. */
function findFolders({ args, cwd }: BindRequest): { folders: readonly string[]; areAll: boolean } {
  const folders = new Set<string>();
  let left = MAX_LOOKS;
  for (const piece of allPieces(args)) {
    const folder = --left < 0 ? undefined : realFolder(toAbsolute(piece, cwd));
    if (folder !== undefined && folder !== cwd) folders.add(folder);
  }
  const areAll = left >= 0 && folders.size <= MAX_FOLDERS;
  return { folders: [...folders].slice(0, MAX_FOLDERS), areAll };
}

function findFile(absolute: string): NamedFile | undefined {
  const stats = statOf(absolute);
  return stats?.isFile() ? { path: wholeRealPath(absolute), stats } : undefined;
}

function* namesOf(request: BindRequest): Generator<string> {
  const { names, args, redirects, cwd } = request;
  for (const redirect of redirects) if (redirect.kind === "read") yield redirect.path;
  const own = ownFilesOf(request);
  for (const folder of foldersAbove(request)) for (const name of own) yield `${folder}/${name}`;
  for (const piece of allPieces(args)) yield toAbsolute(piece, cwd);
  const endings = [...own.map((name) => `/${name}`), ...(isInterpreter(names) ? ENDINGS : [])];
  for (const word of args.slice(0, MAX_WORDS)) {
    const value = word.slice(word.indexOf("=") + 1);
    const module = /^[\w.]+$/.test(word) ? word.replaceAll(".", "/") : word;
    const forms = new Set([word, value, module]);
    for (const form of forms) for (const ending of endings) yield toAbsolute(form + ending, cwd);
  }
}

/** Names relative to another folder in the arguments. */
function* furtherNamesOf(
  { names, args, cwd }: BindRequest,
  folders: readonly string[],
): Generator<string> {
  const isFolderRunner = [names.file, names.path, ...args].some((one) => FOLDER_RUNNERS.test(one));
  const pieces = [...allPieces(args)].filter((piece) => !piece.startsWith("/"));
  if (isFolderRunner && args.includes(".")) yield* entriesOf(cwd);
  for (const folder of folders) {
    for (const piece of pieces) yield `${folder}/${piece}`;
    if (isFolderRunner) yield* entriesOf(folder);
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => `${folder}/${name}`);
  } catch {
    // An unreadable folder has nothing to bind.
    return [];
  }
}

function allPieces(args: readonly string[]): ReadonlySet<string> {
  return new Set(args.flatMap((word) => [...piecesOf(word)]));
}

/** The whole word, the value of an option, and every part that could be a name. */
function piecesOf(word: string): ReadonlySet<string> {
  const pieces = new Set([word, ...word.split(BREAKS)]);
  for (let at = word.indexOf("="); at !== -1; at = word.indexOf("=", at + 1)) {
    pieces.add(word.slice(at + 1));
  }
  if (word.startsWith("@")) pieces.add(word.slice(1));
  if (/^[-+][^-]/.test(word)) {
    for (let at = 2; at <= MAX_LETTERS && at < word.length; at += 1) pieces.add(word.slice(at));
  }
  pieces.delete("");
  return pieces;
}

function ownFilesOf({ names }: BindRequest): readonly string[] {
  const called = [names.file, names.path].map((path) => path.slice(path.lastIndexOf("/") + 1));
  return OWN_FILES.flatMap(([program, files]) =>
    called.some((name) => program.test(name)) ? files : [],
  );
}

/** Up to the root. */
function foldersAbove({ cwd, root }: BindRequest): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== root && isInside(folder, root); ) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}
