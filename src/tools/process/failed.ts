// A failure of an action, as a result.

import { type ToolResult, textResult } from "../../core/index.js";

export function failed(text: string, facts: Readonly<Record<string, unknown>> = {}): ToolResult {
  return { ...textResult(text, { ...facts, status: "failed", error: text }), isError: true };
}
