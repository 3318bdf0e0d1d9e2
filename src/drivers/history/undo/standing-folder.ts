// A folder that stands where an undo puts a file: it goes when there is nothing in it but folders.

import type { FsBridge, FsPath } from "../../../core/index.js";

/** In one folder; of more it counts as not empty. */
const MAX_FOLDERS = 1_000;

/** Nothing is removed to find out. Where the bridge cannot list, removing it will tell. */
export async function isBare(bridge: FsBridge, at: FsPath): Promise<boolean> {
  if (!bridge.removeFolder) return false;
  const entries = (await bridge.list?.({ ...at, limit: MAX_FOLDERS })) ?? [];
  if (entries.length === MAX_FOLDERS) return false;
  for (const { name, type } of entries) {
    if (type !== "directory" || !(await isBare(bridge, inside(at, name)))) return false;
  }
  return true;
}

/** Throws when there is anything in it but folders. */
export async function removeBareFolder(bridge: FsBridge, at: FsPath): Promise<void> {
  const entries = (await bridge.list?.({ ...at, limit: MAX_FOLDERS })) ?? [];
  for (const { name, type } of entries) {
    if (type === "directory") await removeBareFolder(bridge, inside(at, name));
  }
  await bridge.removeFolder?.(at);
}

function inside(at: FsPath, name: string): FsPath {
  return { ...at, filePath: `${at.filePath}/${name}` };
}
