// Removes what writes of dead processes left in folders of a root, without a write of one's own.

import { resolve } from "node:path";
import { createWithRoot, pinExisting, type Root } from "../root.js";
import { createTidier, type Tidier } from "./remove-temporaries.js";
import { createOwnership } from "./temporary-owner.js";

export async function tidyFolders(root: string, folders: readonly string[]): Promise<void> {
  const base = resolve(root);
  const withRoot = createWithRoot({ base, container: base });
  const tidier = createTidier(createOwnership());
  // What is gone has nothing left in it; what cannot be opened is not ours to tidy.
  await Promise.allSettled(
    folders.map((folder) => withRoot((found) => tidyFolder(found, { folder, tidier }))),
  );
}

async function tidyFolder(
  root: Root,
  { folder, tidier }: { readonly folder: string; readonly tidier: Tidier },
): Promise<void> {
  const pin = await pinExisting(root, root.locate({ filePath: folder }));
  try {
    if (pin?.stats.isDirectory()) await tidier.tidy(pin);
  } finally {
    pin?.close();
  }
}
