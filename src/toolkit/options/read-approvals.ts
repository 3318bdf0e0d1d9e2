// The option `approvals` of `createToolkit`: what cannot be meant is refused at once, by its place. A
// list with a slip in it must not be found out by the first command that it stops, or lets through.

import { parseApprovals } from "../../config/index.js";
import { ToolInputError } from "../../core/index.js";
import type { ToolkitOptions } from "./toolkit-options.js";

/** A copy: what the caller does with the object later changes nothing. */
export function readApprovals(given: ToolkitOptions["approvals"]): ToolkitOptions["approvals"] {
  if (given === undefined) return undefined;
  const parsed = parseApprovals(given);
  if (parsed.ok) return parsed.document;
  const problems = parsed.problems.map((problem) => `approvals.${problem}`).join("; ");
  throw new ToolInputError(`createToolkit: ${problems}`, { reason: "options_invalid" });
}
