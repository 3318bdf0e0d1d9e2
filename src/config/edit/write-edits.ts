// Writes edits of single keys into the config, unless it could not be loaded then. Comments, order and
// `${VAR}` of the rest stay.

import { ToolInputError } from "../../core/index.js";
import type { ProcessOwners } from "../../lib/system/rename-lock.js";
import type { ConfigPlace } from "../file/paths.js";
import type { ConfigProblem } from "../problem.js";
import { type ConfigEdit, planConfigChange } from "./plan-change.js";
import { replaceFile } from "./replace-file.js";

/** Throws `invalid_input` / `config_invalid` with `details.issues`; then nothing is written. */
export async function writeConfigEdits(
  place: ConfigPlace,
  { edits, owners }: { readonly edits: readonly ConfigEdit[]; readonly owners: ProcessOwners },
): Promise<void> {
  const plan = await planConfigChange(place, edits);
  if (!plan.after.ok) throw configUnusable(plan.after.problems);
  const { file: path, bytes: before, text } = plan;
  if (plan.isChange) await replaceFile({ path, before, text, owners });
}

export function configUnusable(problems: readonly ConfigProblem[]): ToolInputError {
  const issues = problems
    .filter(({ severity }) => severity === "error")
    .map(({ path, message }) => ({ path, message }));
  const [first] = issues;
  const what = first === undefined ? "" : `: ${showPlace(first.path)}${first.message}`;
  return new ToolInputError(`invalid config${what}`, {
    reason: "config_invalid",
    details: { issues },
  });
}

function showPlace(path: string): string {
  return path === "" ? "" : `${path} `;
}
