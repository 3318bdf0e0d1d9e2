// What is said of a patch that cannot be read: always with the line of the patch.

import { ToolError, ToolInputError } from "../../../core/index.js";

/** `problem` goes on behind "Line 7 of the patch"; `line` counts from 1. */
export function patchInvalid(line: number, problem: string): ToolInputError {
  return new ToolInputError(`Line ${line} of the patch ${problem}`, {
    reason: "patch_invalid",
    details: { line },
  });
}

export interface PassedLimit {
  readonly reason: string;
  readonly message: string;
  readonly size: number;
  readonly max: number;
}

export function limitPassed({ reason, message, size, max }: PassedLimit): ToolError {
  return new ToolError("limit", message, { reason, details: { size, max } });
}
