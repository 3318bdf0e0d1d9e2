// The folders that a new file needs, and the way back: only those that were made for it go again.

import { isToolError } from "../errors.js";
import type { FsBridge } from "../ports/fs-bridge.js";
import { pathProtected } from "./errors.js";
import { toPlainPath } from "./request.js";

const PARENT = /^(.*[^/])\/+(?!\.{1,2}$)[^/]+$/s;

export interface FolderPlace {
  readonly bridge: FsBridge;
  readonly root: string;
  readonly signal: AbortSignal;
}

export interface FolderMaker {
  /** `writeFile` and `rename` make parents; bridges of old leave it to `mkdirp`. */
  make(): Promise<void>;
  removeMade(): Promise<void>;
}

export function createFolderMaker(path: string, place: FolderPlace): FolderMaker {
  const { bridge, root, signal } = place;
  const at = (filePath: string) => ({ filePath, cwd: root });
  let made: string[] = [];
  return {
    async make() {
      const parent = PARENT.exec(path)?.[1];
      if (parent === undefined) return;
      if (bridge.removeFolder) {
        made = await listMissing(path, place);
        if (made.length === 0) return;
      }
      try {
        await bridge.mkdirp({ ...at(parent), signal });
      } catch (error) {
        throw named(error, path);
      }
    },
    async removeMade() {
      for (const folder of made) {
        try {
          await bridge.removeFolder?.(at(folder));
        } catch {
          // Someone else has put something into it, or it was never made; so those above stay too.
          return;
        }
      }
    },
  };
}

/** The caller asked for a file, so that file is what a protected folder keeps from being made. */
function named(error: unknown, path: string): unknown {
  if (!isToolError(error) || error.reason !== "path_protected") return error;
  const name = error.details?.protected;
  return typeof name === "string" ? pathProtected(path, name) : error;
}

export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    folders.push(path.slice(0, end));
  }
  return folders;
}

async function listMissing(path: string, { bridge, root }: FolderPlace): Promise<string[]> {
  const missing: string[] = [];
  for (const folder of foldersOf(toPlainPath(path, root))) {
    if ((await bridge.stat({ filePath: folder, cwd: root })) !== null) break;
    missing.push(folder);
  }
  return missing;
}
