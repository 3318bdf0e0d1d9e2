// What one act and each step of a batch have in common: the tab, the time, how they are named, and
// the value that a script gave back.

import type { PageAction } from "../../../core/browser.js";
import { type ToolResult, textResult } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import type { ActionCall } from "../action-call.js";
import { DEFAULT_VIEW_CHARS } from "../limits.js";

/** The tab, and how long one act may take. */
export interface ActPlace extends Pick<ActionCall, "call" | "browsers"> {
  readonly scope: ActionCall["scope"] & { readonly targetId?: string };
}

export async function closeTab({ browsers, scope }: ActPlace): Promise<ToolResult> {
  await browsers.closeTab(scope);
  const which = scope.targetId === undefined ? "The current tab" : `Tab ${scope.targetId}`;
  return textResult(`${which} is closed.`, { ok: true, kind: "close" });
}

export function toActScope({ timeoutMs, signal }: ActPlace["scope"]) {
  return { ...(timeoutMs === undefined ? {} : { timeoutMs }), signal };
}

/** `click e12`, for sentences. */
export function describeAction(action: PageAction): string {
  if ("ref" in action && action.ref !== undefined) return `${action.kind} ${action.ref}`;
  return action.kind;
}

/** What `evaluate` gave back, cut. */
export function showValue(result: string | undefined): {
  readonly text: string;
  readonly notices: readonly string[];
} {
  if (result === undefined) return { text: "", notices: [] };
  if (result.length <= DEFAULT_VIEW_CHARS) return { text: result, notices: [] };
  const range = `Characters 1-${DEFAULT_VIEW_CHARS} of ${result.length} of the result; let fn give back less.`;
  return { text: cutChars(result, DEFAULT_VIEW_CHARS), notices: [range] };
}

/** The driver gives JSON; what is none stays text. */
export function toValue(result: string | undefined): object {
  if (result === undefined) return {};
  try {
    return { result: JSON.parse(result) };
  } catch {
    // Such as "undefined".
    return { result };
  }
}
