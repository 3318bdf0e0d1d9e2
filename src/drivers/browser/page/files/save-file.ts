// Writes a file that came from a page through the bridge, which makes the folders and replaces the file
// in the very place it has judged.

import { stat } from "node:fs/promises";
import type { SavedFile } from "../../../../core/browser.js";
import type { PageFolders } from "../page-handle.js";
import { assertReplaceable } from "./roots.js";

export async function saveFile(
  { downloadRoots, files }: PageFolders,
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
): Promise<Pick<SavedFile, "path" | "bytes" | "replaced">> {
  await assertReplaceable(path, downloadRoots);
  const isThere = (await stat(path).catch(() => undefined)) !== undefined;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  await files.writeFile({ filePath: path, data });
  return { path, bytes: bytes.length, ...(isThere && { replaced: true as const }) };
}
