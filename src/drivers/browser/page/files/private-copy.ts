// The copy of a file that a page gets: read through the bridge, which holds the file it has judged,
// because its name may come to mean another one before the browser opens it.

import { copyFile, mkdtemp, open, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { isBelow } from "../../../../lib/is-below.js";
import type { PageFolders } from "../page-handle.js";
import { realOfOwn, resolveReadable } from "./roots.js";

const PART_BYTES = 1024 * 1024;
const MS_PER_SECOND = 1_000;

/** Its path. It stays until the browser ends, because pages read files when they like. */
export async function copyForPage(path: string, folders: PageFolders): Promise<string> {
  const { files, artifacts, temporary } = folders;
  const real = await resolveReadable(path, folders);
  const copy = join(await mkdtemp(join(temporary, "u-")), basename(real));
  if (isBelow(real, await realOfOwn(artifacts))) {
    // Of our own state, where no tool writes.
    await copyFile(real, copy);
    return copy;
  }
  const [source, target] = [await files.openFile({ filePath: real }), await open(copy, "wx")];
  try {
    const part = new Uint8Array(PART_BYTES);
    for (let at = 0, count = -1; count !== 0; at += count) {
      count = await source.read(part, at);
      await target.write(part, 0, count);
    }
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
  const changed = source.stat.mtimeMs / MS_PER_SECOND;
  await utimes(copy, changed, changed);
  return copy;
}
