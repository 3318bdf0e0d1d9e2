// The configuration of a toolkit: what is wrong in it is said at once, what is doubtful is kept for
// anyone who asks.

import { stat } from "node:fs/promises";
import { type ClawtoolsConfig, parseConfig } from "../../config/index.js";
import { type Diagnostic, ToolInputError } from "../../core/index.js";

/** A problem of the config or of the policy in it. */
export interface Doubt {
  readonly severity: "warning" | "error";
  readonly path: string;
  readonly message: string;
}

export interface ReadConfig {
  readonly config: ClawtoolsConfig;
  readonly doubts: readonly Doubt[];
}

/** Throws a ToolInputError that names every wrong value. */
export function readConfig(value: ClawtoolsConfig): ReadConfig {
  const { config, problems } = parseConfig(value);
  assertUsable(problems);
  return { config, doubts: problems };
}

/** Throws when one is an error: until it is fixed, no one knows what was meant. */
export function assertUsable(doubts: readonly Doubt[]): void {
  const errors = doubts.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  throw new ToolInputError(`The config cannot be used. ${errors.map(toLine).join(" ")}`, {
    reason: "config_invalid",
    details: { problems: errors },
  });
}

export function toDiagnostic(doubt: Doubt): Diagnostic {
  const { severity } = doubt;
  return { code: "config_doubtful", severity, toolId: "", message: toLine(doubt) };
}

function toLine({ path, message }: Doubt): string {
  return `${path}: ${message}`;
}

/** `undefined` when the root is a folder. */
export async function findRootDoubt(root: string): Promise<Doubt | undefined> {
  const isFolder = await stat(root).then(
    (found) => found.isDirectory(),
    () => undefined,
  );
  if (isFolder) return undefined;
  const what = isFolder === undefined ? "is not there, or cannot be opened" : "is not a folder";
  const message = `"${root.slice(0, 200)}" ${what}; the file tools have nothing to work in.`;
  return { severity: "warning", path: "root", message };
}
