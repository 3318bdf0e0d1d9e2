// Failures whose sentence quotes the page (names of elements, dialogs, what a script threw): the
// quoting part stands in the answer as text from outside, and what to do beside it in our words.

import type { ListedElement } from "../../core/browser.js";
import { errorResult, isToolError, type ToolError, type ToolResult } from "../../core/index.js";
import { describeRow, SHORT } from "./view/line.js";
import { toRows } from "./view/rows.js";

const MAX_NEAR = 5;
const SOURCE = "browser";

/** What to do, by reason. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["stale_ref", "The ref was not used; take one that is named above, or a new snapshot."],
  ["changed_under_click", "The click was stopped; take a new snapshot."],
  ["element_covered", "Nothing was done; first close or scroll away what is named above."],
  ["element_wrong_kind", "Nothing was done; choose another kind of act, or another element."],
  ["option_not_found", "Nothing was selected; choose one of the options above."],
  ["blocked_by_dialog", "Answer the dialog with action dialog, then go on."],
  ["evaluate_failed", "The script failed in the page."],
]);

export function isRefusal(error: unknown): error is ToolError {
  return isToolError(error) && ADVICE.has(error.reason ?? "");
}

export function showRefusal(error: ToolError): ToolResult {
  return {
    content: [{ type: "text", text: quoteRefusal(error) }],
    details: errorResult("browser", error).details,
    isError: true,
    untrusted: { source: SOURCE },
    notices: [adviseRefusal(error)],
  };
}

/** From the page in parts. */
export function quoteRefusal({ message, details }: ToolError): string {
  const near: unknown = details?.near;
  if (!Array.isArray(near)) return message;
  const unnamed = near.filter(isListed).filter(({ ref = "" }) => !message.includes(ref));
  const rows = toRows(
    unnamed.slice(0, MAX_NEAR).map((element) => ({ ...element, depth: 0 })),
    { keep: "all" },
  );
  const lines = rows.map((row) => `- ${describeRow(row, { limits: SHORT })}`);
  return [message, ...lines].join("\n");
}

export function adviseRefusal({ reason = "" }: ToolError): string {
  return ADVICE.get(reason) ?? "";
}

/** By what is read of it; the driver made it. */
function isListed(value: unknown): value is ListedElement {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "role") === "string" &&
    typeof Reflect.get(value, "name") === "string" &&
    Array.isArray(Reflect.get(value, "states"))
  );
}
