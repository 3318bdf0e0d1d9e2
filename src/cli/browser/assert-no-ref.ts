// Files and refs are words alike, and a ref in the place of a file is a slip.

import type { CommandCall } from "../command-call.js";
import { UsageError } from "../failure.js";

export const REF = /^@?e\d+$/i;

/** Throws a UsageError; a file of such a name is taken when `--ref` is there too. */
export function assertNoRef({ words, texts }: CommandCall): void {
  const ref = words.find((word) => REF.test(word));
  if (ref === undefined || texts.ref !== undefined) return;
  throw new UsageError(`"${ref}" is a ref, no file; write --ref ${ref}.`);
}
