// What can go wrong on a page, as the errors of the port. What a ref can be refused for is said in
// elements/.

import { isToolError, ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { isClosedMessage, isCrashMessage, toBrowserError } from "../session/playwright-errors.js";

const MAX_SHOWN_CHARS = 300;
export interface DialogFacts {
  /** `d1` … */
  readonly dialogId: string;
  readonly type: string;
  readonly message: string;
  readonly defaultValue?: string;
}

export const shown = (text: string): string => toPrintable(text, MAX_SHOWN_CHARS);

export function blockedByDialog(dialog: DialogFacts): ToolError {
  return new ToolError(
    "conflict",
    `The page waits for an answer to the ${dialog.type} ${dialog.dialogId} "${shown(dialog.message)}"; answer it with action dialog.`,
    { reason: "blocked_by_dialog", details: { dialog } },
  );
}

export function dialogNotFound(dialogId: string): ToolError {
  return new ToolError(
    "not_found",
    `There is no dialog "${shown(dialogId)}"; leave dialogId out to answer the next one.`,
    { reason: "dialog_not_found" },
  );
}

export function changedUnderClick(ref: string, why: string): ToolError {
  return new ToolError(
    "conflict",
    `The page changed while ${shown(ref)} was acted on: ${why}; take a new snapshot and look what happened.`,
    { reason: "changed_under_click", details: { ref } },
  );
}

export function wrongKind(ref: string, hint: string): ToolError {
  return new ToolError("failed", `${shown(ref)} cannot be used like this: ${hint}.`, {
    reason: "element_wrong_kind",
    details: { ref },
  });
}

export function optionNotFound(request: {
  readonly ref: string;
  readonly value: string;
  readonly options: readonly string[];
}): ToolError {
  const options = request.options.map((option) => `"${shown(option)}"`).join(", ");
  return new ToolError(
    "not_found",
    `${shown(request.ref)} has no option "${shown(request.value)}"; it has ${options || "none"}.`,
    { reason: "option_not_found", details: { ref: request.ref, options: request.options } },
  );
}

export function evaluateDisabled(): ToolError {
  return new ToolError(
    "denied",
    "Scripts are not run in pages here; set browser.evaluateEnabled to allow evaluate and wait with fn.",
    { reason: "evaluate_disabled" },
  );
}

export function evaluateFailed(message: string, cause?: unknown): ToolError {
  return new ToolError("failed", `The script failed in the page: ${shown(message)}`, {
    reason: "evaluate_failed",
    cause,
  });
}

export function navigationFailed(url: string, why: string): ToolError {
  return new ToolError("failed", `${shown(url)} could not be opened: ${shown(why)}.`, {
    reason: "navigation_failed",
    details: { url, error: why },
  });
}

export function pathOutsideRoot(path: string, roots: readonly string[]): ToolError {
  return new ToolError(
    "denied",
    `${shown(path)} is not inside ${roots.join(" or ") || "any allowed folder"}; use a path there.`,
    { reason: "path_outside_root", details: { path } },
  );
}

export function selectorMissing(selector: string): ToolError {
  return new ToolError(
    "not_found",
    `Nothing on the page matches "${shown(selector)}"; correct the selector, or take a snapshot and use a ref.`,
    { reason: "element_not_found" },
  );
}

export function fileMissing(path: string): ToolError {
  return new ToolError("not_found", `There is no file ${shown(path)}; check the path.`, {
    reason: "file_missing",
  });
}

/** What Playwright throws, in our words. A page that is gone is told by the session, which knows why. */
export function toPageError(error: unknown, what: string): unknown {
  if (isToolError(error) || isCrashMessage(error) || isClosedMessage(error)) return error;
  return toBrowserError(error, what);
}
