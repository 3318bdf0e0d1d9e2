// The code of this library and of the packages it loads, where it is in or around a folder. Much of it
// is loaded at its first use: a call that changes it, or adds a package that is looked for, would run
// in this process.

import { lstatSync, readFileSync, realpathSync } from "node:fs";
import Module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBelow } from "../../lib/is-below.js";
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
      // A link that is changed leads elsewhere; the folders in which pnpm keeps them are nobody's.
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
