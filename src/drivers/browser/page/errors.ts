// The errors of a page, except those about refs (see elements/).

import { isToolError, ToolError, ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { isClosedMessage, isCrashMessage, toBrowserError } from "../session/playwright-errors.js";

const MAX_SHOWN_CHARS = 300;
const MS_PER_SECOND = 1_000;
const UNKNOWN_KEY = /Unknown key: "([^"]*)"/;
const MAX_SHOWN_LINES = 10;
const CODE_TWICE = /^net::(\w+) \(\1\)$/;

export interface DialogFacts {
  readonly dialogId: string;
  readonly type: string;
  readonly message: string;
  readonly defaultValue?: string;
}

export const shown = (text: string): string => toPrintable(text, MAX_SHOWN_CHARS);

export function blockedByDialog(dialog: DialogFacts): ToolError {
  const { defaultValue } = dialog;
  const preset = defaultValue === undefined ? "" : `, whose default is "${shown(defaultValue)}"`;
  return new ToolError(
    "conflict",
    `The page waits for an answer to the ${dialog.type} ${dialog.dialogId} "${shown(dialog.message)}"${preset}; answer it with action dialog.`,
    { reason: "blocked_by_dialog", details: { dialog, isDone: false } },
  );
}

/** For work under way; `isDone` when known. */
export function interruptedBy(error: Error, { isDone }: { readonly isDone?: boolean } = {}): Error {
  if (!isToolError(error) || error.reason !== "blocked_by_dialog") return error;
  const { code, message, reason, details } = error;
  const { isDone: _before, ...facts } = details ?? {};
  return new ToolError(code, message, {
    reason,
    details: { ...facts, ...(isDone !== undefined && { isDone }) },
  });
}

export function dialogNotFound(dialogId: string): ToolError {
  const message = `Unknown dialog "${shown(dialogId)}"; leave dialogId out to answer the next one.`;
  return new ToolError("not_found", message, { reason: "dialog_not_found" });
}

export function dialogsClashed(first: DialogFacts, second: DialogFacts): ToolError {
  const name = ({ dialogId, message }: DialogFacts) => `${dialogId} "${shown(message)}"`;
  return new ToolError(
    "unavailable",
    `Two dialogs came at once, ${name(first)} and ${name(second)}; the browser dismissed them and keeps the page from answering. Navigate the tab to go on.`,
    { reason: "page_hung" },
  );
}

export function changedUnderClick(ref: string, why: string): ToolError {
  const message = `The page changed while ${shown(ref)} was acted on: ${why}; take a new snapshot and look what happened.`;
  return new ToolError("conflict", message, { reason: "changed_under_click", details: { ref } });
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

export function optionAmbiguous(request: {
  readonly ref: string;
  readonly value: string;
  readonly label: string;
}): ToolError {
  const value = shown(request.value);
  return new ToolError(
    "conflict",
    `"${value}" is the value of the option "${shown(request.label)}" of ${shown(request.ref)} and the label of another one; write "value=${value}" or "label=${value}".`,
    { reason: "option_ambiguous", details: { ref: request.ref } },
  );
}

export function evaluateDisabled(): ToolError {
  const message =
    "Scripts are not run in pages here; set browser.evaluateEnabled to allow evaluate and wait with fn.";
  return new ToolError("denied", message, { reason: "evaluate_disabled" });
}

export function evaluateFailed(message: string, cause?: unknown): ToolError {
  const lines = message.split(/\r?\n/).map((line) => shown(line));
  const text = lines.slice(0, MAX_SHOWN_LINES).join("\n");
  return new ToolError("failed", `The script failed in the page: ${text}`, {
    reason: "evaluate_failed",
    cause,
  });
}

export const LEFT = "The tab has left the page before; navigate back returns to it.";

export function navigationFailed(
  url: string,
  { why, isLeft }: { readonly why: string; readonly isLeft: boolean },
): ToolError {
  const cause = shown(why.replace(CODE_TWICE, "$1"));
  const advice = cause.includes("; check ") ? "" : "; check the address, and that its server runs";
  const rest = isLeft ? ` ${LEFT}` : "";
  return new ToolError("failed", `${shown(url)} could not be opened: ${cause}${advice}.${rest}`, {
    reason: "navigation_failed",
    details: { url, error: why },
  });
}

export function pathOutsideRoot(path: string, roots: readonly string[]): ToolError {
  const message = `${shown(path)} is not inside ${roots.join(" or ") || "any allowed folder"}; use a path there.`;
  return new ToolError("denied", message, { reason: "path_outside_root", details: { path } });
}

export function pageHung(targetId: string, waitedMs: number): ToolError {
  const seconds = Math.round(waitedMs / MS_PER_SECOND);
  const message = `The page in tab ${targetId} did not answer for ${seconds} s: a script, or its size, keeps it busy, perhaps for ever. Try again later, or with a larger timeoutMs to wait for it, or navigate the tab, or close it.`;
  return new ToolError("unavailable", message, { reason: "page_hung", details: { targetId } });
}

export function pageRestless(targetId: string, count: number): ToolError {
  const message = `The page in tab ${targetId} goes to another address again and again by itself, ${count} times in this call, so it could not be read; take a screenshot, or navigate the tab elsewhere.`;
  return new ToolError("timeout", message, { reason: "browser_timeout", details: { targetId } });
}

export function rootIsNoFolder(root: string): ToolError {
  const message = `${root} is a link or no folder, so nothing is written there; put a folder in its place.`;
  return new ToolError("denied", message, { reason: "path_outside_root", details: { path: root } });
}

export function selectorWrong(selector: string): ToolInputError {
  return new ToolInputError(`The selector "${shown(selector)}" is not valid CSS; correct it.`, {
    reason: "selector_invalid",
  });
}

export function selectorMissing(selector: string): ToolError {
  const message = `Nothing on the page matches "${shown(selector)}"; correct the selector, or take a snapshot and use a ref.`;
  return new ToolError("not_found", message, { reason: "element_not_found" });
}

export function chooserMissing(ref: string): ToolError {
  const message = `${shown(ref)} was clicked and opened no file chooser, so the page got no files; look what the click did, or give inputRef (the file input).`;
  return new ToolError("not_found", message, { reason: "chooser_missing" });
}

export function downloadMissing(ref: string, waitedMs: number): ToolError {
  const message = `${shown(ref)} was clicked, and no download began in ${Math.round(waitedMs)} ms; look what the click did by snapshot and errors, or give a larger timeoutMs.`;
  return new ToolError("timeout", message, {
    reason: "browser_timeout",
    details: { waitedFor: "a download to begin", timeoutMs: waitedMs },
  });
}

export function downloadElsewhere(ref: string, url: string): ToolError {
  const message = `${shown(ref)} was clicked and led to ${shown(url)}, and no download began; look at that page by snapshot, and go back by navigate if it is not what you want.`;
  return new ToolError("not_found", message, { reason: "download_missing", details: { ref, url } });
}

export function fileMissing(path: string): ToolError {
  return new ToolError("not_found", `File ${shown(path)} does not exist; check the path.`, {
    reason: "file_missing",
  });
}

function keyUnknown(key: string): ToolError {
  return new ToolInputError(
    `"${shown(key)}" is not a known key; write one such as Enter, Control+a, PageDown, F5, or one letter.`,
    { reason: "arguments_invalid", details: { parameter: "key" } },
  );
}

/** Part of it was done, so repeating it may do it twice. */
export function halfDone(what: string, error: unknown): unknown {
  if (!isToolError(error)) return error;
  const { code, reason, details } = error;
  const waitedMs = Number(details?.timeoutMs ?? 0);
  const message = `Waited ${Math.round(waitedMs)} ms for ${what}, which had begun; take a snapshot and look how far it came before you do it again.`;
  return new ToolError(code, message, { reason, details, cause: error });
}

export function isTimeout(error: unknown): boolean {
  return isToolError(error) && error.reason === "browser_timeout";
}

/** Playwright errors in our words. The session reports closed pages. */
export function toPageError(error: unknown, what: string): unknown {
  if (isToolError(error) || isCrashMessage(error) || isClosedMessage(error)) return error;
  const [, key] = (error instanceof Error ? UNKNOWN_KEY.exec(error.message) : null) ?? [];
  if (key !== undefined) return keyUnknown(key);
  return toBrowserError(error, what);
}
