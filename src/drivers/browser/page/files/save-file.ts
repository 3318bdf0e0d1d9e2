// Writes a file that came from a page: beside its place first, then renamed, so that nobody sees half
// of it and a link in its place is replaced, not followed.

import { randomUUID } from "node:crypto";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SavedFile } from "../../../../core/browser.js";
import { pathOutsideRoot } from "../errors.js";
import { assertReplaceable } from "./roots.js";

export async function saveFile(request: {
  /** Real path of its folder. */
  readonly path: string;
  readonly roots: readonly string[];
  readonly write: (path: string) => Promise<void>;
}): Promise<Pick<SavedFile, "path" | "bytes" | "replaced">> {
  const { path, roots, write } = request;
  await assertReplaceable(path, roots);
  const isThere = (await stat(path).catch(() => undefined)) !== undefined;
  const folder = dirname(path);
  const partial = join(folder, `.${randomUUID()}.part`);
  try {
    await write(partial);
    // Somebody may have put a link in the place of the folder while the file came.
    if ((await realpath(folder)) !== folder) throw pathOutsideRoot(path, roots);
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
  return { path, bytes: (await stat(path)).size, ...(isThere && { replaced: true as const }) };
}
