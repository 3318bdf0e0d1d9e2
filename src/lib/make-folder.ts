// Makes a folder and its parents. Node's own way loops forever in places such as /proc.

import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "./errno.js";

export async function makeFolder(folder: string, mode: number): Promise<void> {
  const error = await tryMake(folder, mode);
  if (error === undefined) return;
  const above = dirname(folder);
  if (errnoOf(error) !== "ENOENT" || above === folder) throw error;
  await makeFolder(above, mode);
  const second = await tryMake(folder, mode);
  if (second !== undefined) throw second;
}

async function tryMake(folder: string, mode: number): Promise<unknown> {
  try {
    await mkdir(folder, { mode });
    return undefined;
  } catch (error) {
    return (await isFolder(folder)) ? undefined : error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return false;
  }
}
