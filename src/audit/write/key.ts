// The key of the hashes of arguments and results: made once for a state folder, for this user alone.

import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RandomSource } from "../../core/index.js";
import { isMissing } from "../../lib/errno.js";
import { readPlainFile } from "../../lib/system/open-plain.js";
import { KEY_FILE } from "../names.js";

const KEY_BYTES = 32;
const FILE_MODE = 0o600;
const MAX_KEY_BYTES = 100;
const KEY_FORM = /^[0-9a-f]{64}\n?$/;

/** Whoever calls it holds the lock. */
export async function readOrMakeKey(folder: string, random: RandomSource): Promise<Buffer> {
  const path = join(folder, KEY_FILE);
  const bytes = await readPlainFile(path, MAX_KEY_BYTES).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  const found = bytes?.toString() ?? "";
  if (KEY_FORM.test(found)) return Buffer.from(found.trim(), "hex");
  const key = random.hex(KEY_BYTES);
  await writeFile(`${path}.new`, `${key}\n`, { mode: FILE_MODE });
  await rename(`${path}.new`, path);
  return Buffer.from(key, "hex");
}
