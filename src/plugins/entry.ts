// Finds the file that a plugin starts with. Loading it is left to `module.ts`.

import { stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { isBelow } from "../lib/is-below.js";
import { isPlainObject, parseJsonText, readContainedFile, realPathOf } from "./manifest.js";
import { PluginError } from "./problem.js";

const MAX_PACKAGE_BYTES = 256 * 1024;
const CANDIDATES = [
  "index.ts",
  "index.js",
  "index.mts",
  "index.mjs",
  "src/index.ts",
  "src/index.js",
] as const;
const TYPESCRIPT_ENDINGS = new Set([".ts", ".mts", ".cts"]);

export interface EntryRequest {
  /** A real path. */
  readonly folder: string;
  readonly canLoadTypeScript: boolean;
}

export interface PluginEntry {
  /** A real path inside the folder. */
  readonly file: string;
  /** Further entries that the package names; only the first is loaded. */
  readonly others: readonly string[];
}

/**
 * `openclaw.extensions[0]` of package.json, else the first usual name that is there. A TypeScript
 * file that this Node cannot load gives way to a built one next to it. Throws a PluginError.
 */
export async function findEntry(request: EntryRequest): Promise<PluginEntry> {
  const [named, ...others] = await readExtensions(request.folder);
  if (named !== undefined) return { file: await resolveNamed(request, named), others };
  const unloadable: string[] = [];
  for (const name of CANDIDATES) {
    const file = await resolveInside(request.folder, name);
    if (file === undefined) continue;
    if (canLoad(request, file)) return { file, others };
    unloadable.push(name);
  }
  const [first] = unloadable;
  if (first !== undefined) throw needsNewerNode(first);
  throw new PluginError(
    `${request.folder} has no entry: name one in package.json under openclaw.extensions, or add ${CANDIDATES.join(", ")}.`,
    { problem: "entry_missing" },
  );
}

async function resolveNamed(request: EntryRequest, name: string): Promise<string> {
  const file = await resolveInside(request.folder, name);
  if (file === undefined) {
    throw new PluginError(
      `${request.folder}/package.json names the entry "${name}", which does not exist.`,
      { problem: "entry_missing" },
    );
  }
  if (!canLoad(request, file)) throw needsNewerNode(name);
  return file;
}

function canLoad(request: EntryRequest, file: string): boolean {
  return request.canLoadTypeScript || !TYPESCRIPT_ENDINGS.has(extname(file));
}

/** Undefined when no regular file is there; a link that leaves the folder is an error. */
async function resolveInside(folder: string, name: string): Promise<string | undefined> {
  const file = await realPathOf(join(folder, name));
  if (file === undefined) return undefined;
  if (!isBelow(file, folder)) {
    throw new PluginError(
      `the entry "${name}" leads to ${file}, which is outside the plugin folder ${folder}.`,
      { problem: "entry_outside_folder" },
    );
  }
  return (await stat(file)).isFile() ? file : undefined;
}

async function readExtensions(folder: string): Promise<readonly string[]> {
  const file = join(folder, "package.json");
  const read = await readContainedFile({
    folder,
    name: "package.json",
    maxBytes: MAX_PACKAGE_BYTES,
  });
  if (read.kind === "missing") return [];
  if (read.kind !== "text") {
    throw new PluginError(
      `${file} must be a regular file in the plugin folder of at most ${MAX_PACKAGE_BYTES} bytes.`,
      { problem: "package_invalid" },
    );
  }
  const parsed = parseJsonText({ text: read.text, file, problem: "package_invalid" });
  const section = isPlainObject(parsed) ? parsed.openclaw : undefined;
  const extensions = isPlainObject(section) ? section.extensions : undefined;
  if (extensions === undefined) return [];
  if (!isTextList(extensions)) {
    throw new PluginError(`${file}: openclaw.extensions must be a list of paths.`, {
      problem: "package_invalid",
    });
  }
  return extensions;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string" && entry !== "");
}

function needsNewerNode(name: string): PluginError {
  return new PluginError(
    `the entry "${name}" is TypeScript: it needs Node 22.18 or later, or a built .js entry.`,
    { problem: "entry_needs_newer_node" },
  );
}
