// What a profile may be called. The name is a folder's name too, so nothing else is let through.

import { ToolInputError } from "../../../core/index.js";

const NAME_FORM = /^[a-z0-9][a-z0-9-]*$/;
const MAX_NAME_CHARS = 64;
const SHOWN_CHARS = 80;

/** Throws `invalid_input` / `browser_profile_invalid`. */
export function assertProfileName(name: string): void {
  if (NAME_FORM.test(name) && name.length <= MAX_NAME_CHARS) return;
  throw new ToolInputError(
    `"${name.slice(0, SHOWN_CHARS)}" is not a valid browser profile name; use up to ${MAX_NAME_CHARS} lower-case letters, digits and hyphens, not starting with a hyphen.`,
    { reason: "browser_profile_invalid" },
  );
}
