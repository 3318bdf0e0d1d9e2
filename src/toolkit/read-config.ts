// The configuration of a toolkit: what is wrong in it is said at once, what is doubtful is kept for
// whoever asks.

import { parseConfig } from "../config/index.js";
import { type PolicyWarning, ToolInputError } from "../core/index.js";

interface Problem {
  readonly severity: "warning" | "error";
  readonly path: string;
  readonly message: string;
}

export interface ReadConfig {
  readonly config: Record<string, unknown>;
  /** One sentence each, with the path. */
  readonly warnings: readonly string[];
}

/** Throws a ToolInputError that names every wrong value. */
export function readConfig(value: Record<string, unknown>): ReadConfig {
  const { config, problems } = parseConfig(value);
  return { config: { ...config }, warnings: refuseErrors(problems) };
}

/** Throws when a name in a policy list is a slip: until it is mended, nobody knows what was meant. */
export function readPolicyWarnings(warnings: readonly PolicyWarning[]): readonly string[] {
  return refuseErrors(warnings);
}

function refuseErrors(problems: readonly Problem[]): string[] {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    throw new ToolInputError(`The config cannot be used. ${errors.map(toLine).join(" ")}`, {
      reason: "config_invalid",
      details: { problems: errors },
    });
  }
  return problems.map(toLine);
}

function toLine({ path, message }: Problem): string {
  return `${path}: ${message}`;
}
