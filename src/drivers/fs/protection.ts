// The one list of what calls may not change or read on this machine: names and places that decide what
// programs run or what this library allows, its own code, and its state. Made once for each root.

import { statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { configPath, stateDir } from "../../config/index.js";
import {
  createProtection,
  type FileIdentity,
  isClientName,
  PROTECTED_NAMES,
  type Protection,
} from "../../core/files/index.js";
import { isMissing } from "../../lib/errno.js";
import { findOwnCode } from "./own-code.js";

/** How Windows shortens `.git`. */
const SHORT_GIT = /(^|\/)git~\d+(?=\/|$)/gi;
/** Whoever closes a second descriptor of a database drops its locks; with the key hashes are guessed. */
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
    // No home folder and no variable: then there is no such place.
    return undefined;
  }
}

function isName(text: string): boolean {
  return !text.includes("/") && !text.includes(sep) && !isAbsolute(text);
}

function toPlain(path: string): string {
  return sep === "\\" ? path.replaceAll(sep, "/").replace(SHORT_GIT, "$1.git") : path;
}

/** Where a path leads, also when its last names do not exist yet. */
async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) return path;
    return join(await toRealPath(parent), basename(path));
  }
}
