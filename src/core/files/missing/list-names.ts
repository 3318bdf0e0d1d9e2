// The names in a folder, through any bridge; for what is only told beside something else.

import type { FsBridge, FsEntry, FsPath } from "../../ports/fs-bridge.js";

/** undefined when the bridge cannot list, or this folder not. */
export async function listNames(
  bridge: FsBridge,
  { limit, ...folder }: FsPath & { readonly limit: number },
): Promise<FsEntry[] | undefined> {
  if (typeof bridge.list !== "function") return undefined;
  try {
    const entries = await bridge.list({ ...folder, limit });
    return entries.filter(({ name }) => typeof name === "string");
  } catch (error) {
    if (folder.signal?.aborted) throw error;
    return undefined;
  }
}
