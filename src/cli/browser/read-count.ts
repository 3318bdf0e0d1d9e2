// A flag whose value is a whole number.

import type { CommandCall } from "../command-call.js";
import { UsageError } from "../failure.js";

/** undefined when it was not given. */
export function readCount({ texts }: CommandCall, flag: string): number | undefined {
  const text = texts[flag];
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new UsageError(`--${flag} must be a whole number.`);
}
