// Errors that quote the page: the quote is marked as untrusted, the advice is ours.

import type { ListedElement } from "../../core/browser.js";
import { errorResult, isToolError, type ToolError, type ToolResult } from "../../core/index.js";
import { describeRow, SHORT } from "./view/line.js";
import { toRows } from "./view/rows.js";

const MAX_NEAR = 5;
const SOURCE = "browser";

interface Words {
  readonly advice: string;
  /** The end of the driver's message, replaced by the advice. */
  readonly ending?: RegExp;
}

const WORDS: ReadonlyMap<string, Words> = new Map<string, Words>([
  [
    "stale_ref",
    {
      advice: "The ref was not used; take one that is named above, or a new snapshot.",
      ending: /; (?:use a ref of those, or )?take a new snapshot\.$/,
    },
  ],
  [
    "element_covered",
    {
      advice: "Nothing was done; first close or scroll away what is named above.",
      ending: /; close that or scroll first\.$/,
    },
  ],
  ["element_wrong_kind", { advice: "" }],
  ["option_not_found", { advice: "Nothing was selected; choose one of the options above." }],
  [
    "option_ambiguous",
    { advice: "Nothing was selected; write value=… or label=… to say which is meant." },
  ],
  ["blocked_by_dialog", { advice: "", ending: /; answer it with action dialog\.$/ }],
  ["navigation_failed", { advice: "Check the address, or try again." }],
  ["download_missing", { advice: "Look at the page, or give a larger timeoutMs." }],
  ["browser_tabs_full", { advice: "Close a tab that is named above, or navigate one." }],
  ["evaluate_failed", { advice: "Correct the script, or look at the page first." }],
]);
const ANSWER_DIALOG = "answer it with action dialog and accept: true or false";
const ANSWER_PROMPT = `${ANSWER_DIALOG}, and promptText, the text to give (without it its default)`;

export function isRefusal(error: unknown): error is ToolError {
  if (!isToolError(error) || !WORDS.has(error.reason ?? "")) return false;
  const near: unknown = error.details?.near;
  return error.reason !== "stale_ref" || (Array.isArray(near) && near.length > 0);
}

export function isDoneWithDialog({ reason, details }: ToolError): boolean {
  return reason === "blocked_by_dialog" && details?.isDone === true;
}

export function showRefusal(error: ToolError): ToolResult {
  const isDone = isDoneWithDialog(error);
  return {
    content: [{ type: "text", text: quoteRefusal(error) }],
    details: isDone ? { ok: true, ...error.details } : errorResult("browser", error).details,
    ...(isDone ? {} : { isError: true as const }),
    untrusted: { source: SOURCE },
    notices: [adviseRefusal(error)].filter(Boolean),
  };
}

export function quoteRefusal({ message: whole, reason = "", details }: ToolError): string {
  const { ending } = WORDS.get(reason) ?? {};
  const message = ending === undefined ? whole : whole.replace(ending, ".");
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

export function adviseRefusal(error: ToolError): string {
  const { reason = "", details } = error;
  if (reason !== "blocked_by_dialog") {
    return [WORDS.get(reason)?.advice, tellFilled(error)].filter(Boolean).join(" ");
  }
  const answer = isPrompt(details?.dialog) ? ANSWER_PROMPT : ANSWER_DIALOG;
  if (details?.isDone === true) {
    return `It was done, and opened the dialog; do not repeat it, but ${answer}.`;
  }
  return details?.isDone === false
    ? `This call was not done, because a dialog waits: ${answer}, then send the call again.`
    : `The dialog interrupted it: ${answer}, then check its progress; nothing continues by itself.`;
}

function isPrompt(dialog: unknown): boolean {
  return typeof dialog === "object" && dialog !== null && Reflect.get(dialog, "type") === "prompt";
}

export function tellFilled({ details }: ToolError): string {
  const filled: unknown = details?.filled;
  if (!Array.isArray(filled) || filled.length === 0) return "";
  return `The fields before it were filled (${filled.join(", ")}), those after it not.`;
}

function isListed(value: unknown): value is ListedElement {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "role") === "string" &&
    typeof Reflect.get(value, "name") === "string" &&
    Array.isArray(Reflect.get(value, "states"))
  );
}
