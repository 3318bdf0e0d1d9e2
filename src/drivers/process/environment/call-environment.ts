// The variables that a call adds: which are taken, and what is said of the others.

import { ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { steers } from "./steering-names.js";

const NAME_FORM = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_NAMES = 100;
const MAX_VALUE_CHARS = 32_768;
const MAX_SHOWN_NAME_CHARS = 64;

export interface CallEnvironmentRequest {
  readonly env: Readonly<Record<string, string>>;
  /** Names that the owner of this machine allows although they steer programs. */
  readonly declaredNames: readonly string[];
}

/** Throws `invalid_input` / `env_invalid`, or `denied` / `env_refused` with the name. */
export function assertCallEnvironment({ env, declaredNames }: CallEnvironmentRequest): void {
  const entries = Object.entries(env);
  if (entries.length > MAX_NAMES) {
    throw invalid(`env has ${entries.length} names; send at most ${MAX_NAMES}.`);
  }
  for (const [name, value] of entries) {
    const shown = toPrintable(name.slice(0, MAX_SHOWN_NAME_CHARS));
    if (!NAME_FORM.test(name)) {
      throw invalid(`"${shown}" is no name of a variable; use letters, digits and "_".`);
    }
    if (value.includes("\0") || value.length > MAX_VALUE_CHARS) {
      throw invalid(
        `The value of "${shown}" has a NUL or more than ${MAX_VALUE_CHARS} characters.`,
      );
    }
    if (steers(name) && !declaredNames.includes(name)) throw refused(shown);
  }
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_input", message, { reason: "env_invalid" });
}

function refused(name: string): ToolError {
  return new ToolError(
    "denied",
    `env.${name} can make programs load or run something else, so calls cannot set it; leave it out.`,
    { reason: "env_refused", details: { name } },
  );
}
