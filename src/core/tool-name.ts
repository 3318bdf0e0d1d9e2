// The rule for names that models see: what every provider accepts.

import { ToolInputError } from "./errors.js";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function isToolName(name: unknown): name is string {
  return typeof name === "string" && TOOL_NAME.test(name);
}

export function assertToolName(name: unknown): asserts name is string {
  if (isToolName(name)) return;
  const shown = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : typeof name;
  throw new ToolInputError(
    `${shown} is not a valid tool name: use 1 to 64 letters, digits, "_" or "-", as every provider requires.`,
    { reason: "name_invalid" },
  );
}
