// Whether the root of the file tools is a folder. Asked when a toolkit gets ready, not when it is
// made: making one waits for no disk, and the folder may be made in between.

import { stat } from "node:fs/promises";
import type { Doubt } from "./read-config.js";

/** `undefined` when it is one. */
export async function findRootDoubt(root: string): Promise<Doubt | undefined> {
  const isFolder = await stat(root).then(
    (found) => found.isDirectory(),
    () => undefined,
  );
  if (isFolder) return undefined;
  const what = isFolder === undefined ? "is not there, or cannot be opened" : "is no folder";
  const message = `"${root.slice(0, 200)}" ${what}; the file tools have nothing to work in.`;
  return { severity: "warning", path: "root", message };
}
