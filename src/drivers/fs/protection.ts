// The one list of what calls may not change or read on this machine: names and places that decide what
// programs run or what this library allows, its own code, and its state. Made once for each root.

import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import Module from "node:module";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { configPath, stateDir } from "../../config/index.js";
import {
  createProtection,
  type FileIdentity,
  isClientName,
  PROTECTED_NAMES,
  type Protection,
} from "../../core/files/index.js";
import { isMissing } from "../../lib/errno.js";
import { isBelow } from "../../lib/paths.js";
import { readField, readText } from "../../lib/read-field.js";

const OWN_NAME = "clawtools";
const MODULES = "node_modules";
const FIELDS = ["dependencies", "optionalDependencies", "peerDependencies"];
const MAX_PACKAGES = 500;
const LINK_STORE = /[\\/]node_modules[\\/]\./;

interface Code {
  /** Files and folders that are there. */
  readonly packages: readonly string[];
  /** Every `node_modules`, there or not, in which one of them looks for another, there or not. */
  readonly folders: readonly string[];
}

/** How Windows shortens `.git`. */
const SHORT_GIT = /(^|\/)git~\d+(?=\/|$)/gi;
/** Anyone who closes a second descriptor of a database drops its locks; with the key hashes are guessed. */
const SEALED_FILES: readonly string[] = [
  ...["state.db", "state.db-wal", "state.db-shm", "state.db-journal"],
  ...["owner.lock", "owner.lock-wal", "owner.lock-shm", "owner.lock-journal"],
  ...["audit.key", "audit.key.new"],
];

export interface ProtectionOptions {
  /**
   * What no call may change: a name at any depth, or with a slash a place, relative to the root or
   * absolute. Replaces the default list (`.git`, our own settings and state, what configures clients);
   * `[]` protects nothing but state and code of this library.
   */
  readonly protect?: readonly string[] | undefined;
  /** Added to the list, whichever it is. */
  readonly alsoProtect?: readonly string[] | undefined;
  /** A further state folder: nothing in one is read, or changed. That of this user is one. */
  readonly stateDir?: string | undefined;
  /** Folders of plugins, which are protected with the packages that they load. */
  readonly loads?: readonly string[] | undefined;
  /** `false` frees what configures clients and editors, such as `.mcp.json`. */
  readonly protectClientFiles?: boolean | undefined;
}

/** With lists for the sandbox, which holds places by mounts: as they were given, absolute. */
export interface MachineProtection extends Protection {
  readonly names: readonly string[];
  readonly readOnly: readonly string[];
  readonly hidden: readonly string[];
}

export async function createMachineProtection(
  options: ProtectionOptions & { readonly base: string },
): Promise<MachineProtection> {
  const { alsoProtect = [], protectClientFiles = true } = options;
  const loads = (options.loads ?? []).map((folder) => resolve(folder));
  const own = findOwnPlaces();
  const base = await toRealPath(options.base);
  const given = options.stateDir === undefined ? [] : [resolve(options.stateDir)];
  const hidden = [...given, ...(own === undefined ? [] : [own.stateDir])];
  const usual = PROTECTED_NAMES.filter((name) => protectClientFiles || !isClientName(name));
  const code = findOwnCode(base, { loads: await Promise.all(loads.map(toRealPath)) });
  const listed = [
    ...(options.protect ?? (own === undefined ? [] : [own.stateDir, own.configPath])),
    ...[...alsoProtect, ...given, ...loads, ...code.packages],
  ];
  const names = [...(options.protect === undefined ? usual : []), ...listed.filter(isName)];
  const readOnly = listed.map((text) => resolve(options.base, text));
  const sealed = [...hidden, ...(await Promise.all(hidden.map(toRealPath)))];
  const found = [...readOnly, ...(await Promise.all(readOnly.map(toRealPath))), ...code.folders];
  const rule = createProtection({
    ...{ base: toPlain(base), names },
    closed: found.map(toPlain),
    sealed: sealed.map(toPlain),
  });
  const sealedFiles = sealed.flatMap((place) => SEALED_FILES.map((name) => join(place, name)));
  return {
    ...{ names, readOnly, hidden },
    findChange: (path, file) => rule.findChange(toPlain(path)) ?? findSame(readOnly, file),
    findRead: (path, file) => rule.findRead(toPlain(path)) ?? findSame(sealedFiles, file),
    findMoved: (path) => rule.findMoved(toPlain(path)),
    findReadBelow: (path) => rule.findReadBelow(toPlain(path)),
  };
}

/** Only a file with a second name can be one of them under another. */
function findSame(paths: readonly string[], file: FileIdentity | undefined): string | undefined {
  if (file === undefined || file.nlink < 2n) return undefined;
  const found = paths.find((path) => {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() && stats.dev === file.dev && stats.ino === file.ino;
  });
  return found && basename(found);
}

/** The state folder and the config file of this user. */
function findOwnPlaces() {
  try {
    const place = { env: process.env, homeDir: homedir(), cwd: process.cwd() };
    return { stateDir: stateDir(place), configPath: configPath(place) };
  } catch {
    // Without a home folder and the variables, these paths do not exist.
    return undefined;
  }
}

function isName(text: string): boolean {
  return !text.includes("/") && !text.includes(sep) && !isAbsolute(text);
}

function toPlain(path: string): string {
  return sep === "\\" ? path.replaceAll(sep, "/").replace(SHORT_GIT, "$1.git") : path;
}

async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) return path;
    return join(await toRealPath(parent), basename(path));
  }
}

/** Real paths below `root`, which is one. `loads`: real paths of further folders with such code. */
export function findOwnCode(
  root: string,
  { from = import.meta.url, loads = [] }: { from?: string; loads?: readonly string[] } = {},
): Code {
  const home = findHome(dirname(realPathOf(fileURLToPath(from))));
  const isLocal = home && (home === root || isBelow(home, root) || isBelow(root, home));
  const homes = isLocal ? [home, ...loads] : loads;
  const own = isLocal ? ownPlaces(home, root) : [];
  const found = findPackages(homes);
  const packages = [...new Set([...own, ...found])].filter((place) => isBelow(place, root));
  const inner = [...homes.map((folder) => join(folder, MODULES)), ...found];
  return { packages, folders: findModuleFolders(inner, root) };
}

/** Who works on this library itself still writes its sources. */
function ownPlaces(home: string, root: string): readonly string[] {
  return isBelow(home, root) ? [home] : [join(home, "dist"), join(home, "package.json")];
}

/** Those that are in one of `paths` are not looked for. */
function findModuleFolders(paths: readonly string[], root: string): readonly string[] {
  // What NODE_PATH names and folders of the home, into which `require` looks too.
  const folders = new Set<string>(Reflect.get(Module, "globalPaths"));
  for (const path of paths) {
    for (let inner = path; isBelow(inner, root); inner = dirname(inner)) {
      folders.add(join(dirname(inner), MODULES));
    }
  }
  const all = [...folders].flatMap((folder) => [folder, realPathOf(folder)]);
  return all.filter((folder) => isBelow(folder, root));
}

function findHome(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (readText(readManifest(folder), "name") === OWN_NAME) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** With those that they need in turn, as Node finds them. */
function findPackages(homes: readonly string[]): Set<string> {
  const places = new Set<string>();
  const waiting = [...homes];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of dependenciesOf(folder)) {
      const found = findPackage(name, folder);
      if (found === undefined || places.has(found.real) || places.size >= MAX_PACKAGES) continue;
      places.add(found.real);
      // Changing the link would redirect the package, so pnpm's folder of links is protected too.
      if (found.isLink && LINK_STORE.test(found.folder)) places.add(found.folder);
      waiting.push(found.real);
    }
  }
  return places;
}

function dependenciesOf(folder: string): string[] {
  const manifest = readManifest(folder);
  return FIELDS.flatMap((field) => Object.keys(Object(readField(manifest, field))));
}

function findPackage(name: string, from: string) {
  for (let folder = from; ; folder = dirname(folder)) {
    const modules = join(folder, MODULES);
    const path = join(modules, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found) return { real: realPathOf(path), folder: modules, isLink: found.isSymbolicLink() };
    if (folder === dirname(folder)) return undefined;
  }
}

function readManifest(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    // There is none here, or none that Node would go by.
    return undefined;
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // Gone meanwhile: nothing is loaded from it any more.
    return path;
  }
}
