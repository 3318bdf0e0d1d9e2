// The exit code of a call that failed, by what it says to programs.

import { ERROR_CODES } from "../../core/index.js";
import { readField } from "../../lib/read-field.js";

/** A tool may also fail on its own account, without a code of ours. */
export function toExitCode(details: unknown): number {
  const code = readField(details, "code");
  const known = Object.entries(ERROR_CODES).find(([name]) => name === code);
  return known?.[1].exit ?? ERROR_CODES.failed.exit;
}
