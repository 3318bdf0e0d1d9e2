// From search paths to plugin folders. Reading the manifests is left to `manifest.ts`.

import { lstat, opendir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { toToolError } from "../core/index.js";
import { isMissing } from "../lib/errno.js";
import { MANIFEST_FILE, PluginError } from "./manifest.js";

export const MAX_FOLDER_ENTRIES = 10_000;

export interface PathBase {
  readonly baseDir: string;
  /** What `~` means; undefined when the system knows none. */
  readonly homeDir: string | undefined;
}

/** `~` and `~/…` become the home folder, a relative path starts at `baseDir`. */
export function expandPath(path: string, base: PathBase): string {
  if (path !== "~" && !path.startsWith("~/")) return resolve(base.baseDir, path);
  if (base.homeDir === undefined) {
    throw new PluginError(`"${path}" needs a home folder, and none is known: give homeDir.`, {
      problem: "search_path_missing",
    });
  }
  return resolve(base.homeDir, `.${path.slice(1)}`);
}

/**
 * The folders with a manifest directly under `path`, by name, or `path` itself when it has one.
 * Throws a PluginError when the path cannot be searched.
 */
export async function findPluginFolders(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) {
      throw new PluginError(`the plugin search path ${path} is not a folder.`, {
        problem: "search_path_missing",
      });
    }
    if (await mayHaveManifest(path)) return [path];
    const folders: string[] = [];
    for (const name of await listNames(path)) {
      const folder = join(path, name);
      if (await mayHaveManifest(folder)) folders.push(folder);
    }
    return folders;
  } catch (error) {
    if (error instanceof PluginError) throw error;
    throw unreadable(path, error);
  }
}

/** A folder that cannot be looked into counts, so that reading its manifest reports why. */
async function mayHaveManifest(folder: string): Promise<boolean> {
  try {
    await lstat(join(folder, MANIFEST_FILE));
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

/** Sorted, so that which of two plugins comes first does not depend on the file system. */
async function listNames(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of await opendir(path)) {
    if (names.length === MAX_FOLDER_ENTRIES) {
      throw new PluginError(
        `the plugin search path ${path} has more than ${MAX_FOLDER_ENTRIES} entries.`,
        { problem: "search_path_unreadable" },
      );
    }
    if (entry.isDirectory() || entry.isSymbolicLink()) names.push(entry.name);
  }
  return names.sort();
}

function unreadable(path: string, error: unknown): PluginError {
  if (isMissing(error)) {
    return new PluginError(`the plugin search path ${path} does not exist.`, {
      problem: "search_path_missing",
    });
  }
  return new PluginError(
    `the plugin search path ${path} cannot be read: ${toToolError(error).message}`,
    { problem: "search_path_unreadable", cause: error },
  );
}
