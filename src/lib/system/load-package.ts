// Loads packages that cannot be bundled from the folder where each was at the start.

import { existsSync, readFileSync, realpathSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { lazy } from "../lazy.js";
import { readField } from "../read-field.js";

const NAMES = ["@lydell/node-pty", "@photostructure/sqlite", "playwright-core", "sharp"] as const;
const MODULES = "node_modules";
const MANIFEST = "package.json";

export type PackageName = (typeof NAMES)[number];

const here = lazy(() => realpathSync.native(fileURLToPath(import.meta.url)));

/** Called before the first tool runs. Belongs to the process, as its modules do. */
export const pinPackages = lazy(() => {
  const found = new Map<string, readonly string[]>(NAMES.map((name) => [name, findFolders(name)]));
  guardResolution([...found.values()].flat());
  return found;
});

/** Throws with code MODULE_NOT_FOUND when the package was missing at the start or changed since. */
export function loadPackage(name: PackageName): unknown {
  const folders = pinPackages().get(name) ?? [];
  const [folder] = folders;
  if (folder === undefined) throw notFound(`${name} was not installed when this process started`);
  if (findFolders(name).join() !== folders.join()) {
    throw notFound(`${name}, or a package it needs, moved since this process started`);
  }
  return createRequire(here())(folder);
}

function findFolders(name: string): string[] {
  const found = new Set(findAll([name], dirname(here())));
  for (const folder of found) {
    const manifest = readManifest(folder);
    const needed = ["dependencies", "optionalDependencies"].flatMap((field) =>
      Object.keys(Object(readField(manifest, field))),
    );
    for (const place of findAll(needed, folder)) found.add(place);
  }
  return [...found];
}

function findAll(names: readonly string[], from: string): string[] {
  const places: string[] = [];
  for (let folder = from; ; folder = dirname(folder)) {
    if (basename(folder) !== MODULES) places.push(join(folder, MODULES));
    if (folder === dirname(folder)) break;
  }
  const present = places.filter((place) => existsSync(place));
  return names.flatMap((name) => {
    const candidates = present.map((place) => join(place, name));
    const first = candidates.find((place) => existsSync(join(place, MANIFEST)));
    return first === undefined ? [] : [realpathSync.native(first)];
  });
}

/** undefined when it is damaged: then the package needs no others. */
function readManifest(folder: string): unknown {
  const text = readFileSync(join(folder, MANIFEST), "utf8");
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Resolve = (request: string, parent?: { filename?: unknown }, ...rest: unknown[]) => string;

function guardResolution(folders: readonly string[]): void {
  // Node 20 has no public hook for `require`, and no types for this one.
  const loader = Module as unknown as { _resolveFilename: Resolve };
  const resolve = loader._resolveFilename;
  const isOurs = (file: unknown) =>
    typeof file === "string" && folders.some((folder) => file.startsWith(folder + sep));
  loader._resolveFilename = function guarded(request, parent, ...rest) {
    const file = resolve.call(this, request, parent, ...rest);
    const isBare = !request.startsWith(".") && !isAbsolute(request);
    if (!isBare || !isAbsolute(file) || isOurs(file) || !isOurs(parent?.filename)) return file;
    throw notFound(`${request} is not a package that ${String(parent?.filename)} may load`);
  };
}

function notFound(message: string): Error {
  return Object.assign(new Error(`${message}.`), { code: "MODULE_NOT_FOUND" });
}
