// The least that plain Node does to replace a file as a whole and safely, with the syncs that a call
// of ours makes, and no others.

import { open, rename } from "node:fs/promises";
import { join } from "node:path";

/** Temporary file, sync, rename, sync of the folder. */
export async function writePlainly({ folder, name, data }) {
  const temporary = join(folder, `.${name}.tmp`);
  await useFile({ path: temporary, flags: "w" }, async (handle) => {
    await handle.writeFile(data);
    await handle.sync();
  });
  await rename(temporary, join(folder, name));
  await useFile({ path: folder, flags: "r" }, (handle) => handle.sync());
}

export async function useFile({ path, flags }, use) {
  const handle = await open(path, flags);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
