// A call that was refused with elements of the page as advice: they stand in the answer as text from
// outside, and the sentence of the error beside them.

import {
  errorResult,
  isToolError,
  type ListedElement,
  type ToolError,
  type ToolResult,
} from "../../core/index.js";
import { describeRow, SHORT } from "./view/line.js";
import { toRows } from "./view/rows.js";

const NEAR_REASON = "stale_ref";
const MAX_NEAR = 5;
const SOURCE = "elements of the page";

interface Refusal extends ToolError {
  readonly details: { readonly near: readonly ListedElement[] };
}

export function isRefusal(error: unknown): error is Refusal {
  if (!isToolError(error) || error.reason !== NEAR_REASON) return false;
  const near: unknown = error.details?.near;
  return Array.isArray(near) && near.length > 0;
}

export function showRefusal(error: Refusal): ToolResult {
  return {
    content: [{ type: "text", text: listNear(error).join("\n") }],
    details: errorResult("browser", error).details,
    isError: true,
    untrusted: { source: SOURCE },
    notices: [`${error.message} Nearest on the page now: see above.`],
  };
}

/** One line each. */
export function listNear({ details }: Refusal): string[] {
  const rows = toRows(
    details.near.slice(0, MAX_NEAR).map((element) => ({ ...element, depth: 0 })),
    { keep: "all" },
  );
  return rows.map((row) => `- ${describeRow(row, { limits: SHORT })}`);
}
