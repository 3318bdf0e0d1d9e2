// The code of this library and of the packages it loads, where it lies in or around a folder. Much of
// it is loaded when it is first used, so whoever could change it there would run in this process.

import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBelow } from "../is-below.js";
import { readField, readText } from "../read-field.js";

const OWN_NAME = "clawtools";
const MAX_PACKAGES = 500;
const LINK_STORE = /[\\/]node_modules[\\/]\./;

/** Real paths below `root`, which is one; none where this library is installed elsewhere. */
export function findOwnCode(root: string, from: string = import.meta.url): readonly string[] {
  const home = findHome(dirname(realPathOf(fileURLToPath(from))));
  if (home === undefined) return [];
  const isWithin = isBelow(home, root);
  if (!isWithin && home !== root && !isBelow(root, home)) return [];
  // Who works on this library itself still writes its sources.
  const own = isWithin ? [home] : [join(home, "dist"), join(home, "package.json")];
  return [...new Set([...own, ...findPackages(home)])].filter((place) => isBelow(place, root));
}

function findHome(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (readText(readManifest(folder), "name") === OWN_NAME) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** With those that they need in turn, as Node finds them. */
function findPackages(home: string): Set<string> {
  const places = new Set<string>();
  const waiting = [home];
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
  return ["dependencies", "optionalDependencies"].flatMap((field) =>
    Object.keys(Object(readField(manifest, field))),
  );
}

function findPackage(name: string, from: string) {
  for (let folder = from; ; folder = dirname(folder)) {
    const modules = join(folder, "node_modules");
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
