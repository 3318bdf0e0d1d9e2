// The one name of a root folder, whichever links it is reached by.

import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** A root that is not made yet is named by the folder in which it will be. Never rejects. */
export async function findRealRoot(root: string): Promise<string> {
  const whole = resolve(root);
  try {
    return await realpath(whole);
  } catch {
    const folder = dirname(whole);
    // What cannot be resolved for another reason is refused when it is used.
    return folder === whole ? whole : join(await findRealRoot(folder), basename(whole));
  }
}
