// Playwright errors as errors of the port.

import { isToolError, ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";

const MAX_MESSAGE_CHARS = 400;
const CRASHED = /Target crashed|Page crashed/;
const CLOSED =
  /Target (?:page, context or browser has been )?closed|browser has been closed|Browser closed|has been closed|Connection closed|WebSocket.*closed|Target\.\w+\): Session closed/i;
/** `page.goto: `, `locator.click: `. */
const CALL_NAME = /^\w+\.\w+: /;

/** The first line without the name of the call. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ""] = message.split("\n").filter((one) => one.trim() !== "");
  return toPrintable(line.replace(CALL_NAME, ""), MAX_MESSAGE_CHARS);
}

export function isCrashMessage(error: unknown): boolean {
  return !isToolError(error) && error instanceof Error && CRASHED.test(error.message);
}

export function isClosedMessage(error: unknown): boolean {
  return !isToolError(error) && error instanceof Error && CLOSED.test(error.message);
}

export function browserGone(profile: string, why: string): ToolError {
  const message = `The browser of profile "${profile}" is gone: ${why}; the next call starts it again, with no tabs.`;
  return new ToolError("unavailable", message, { reason: "browser_gone", details: { profile } });
}

export function pageCrashed(targetId: string, url: string): ToolError {
  const where = url === "" ? "" : ` at ${url}`;
  return new ToolError(
    "unavailable",
    `The page in tab ${targetId}${where} crashed; the tab is empty now, navigate it to go on.`,
    { reason: "page_crashed", details: { targetId, url } },
  );
}

export function tabClosed(targetId: string): ToolError {
  const message = `Tab ${targetId} was closed; see \`tabs\` for those that are open.`;
  return new ToolError("not_found", message, { reason: "tab_not_found", details: { targetId } });
}

export function toBrowserError(error: unknown, what: string): ToolError {
  if (isToolError(error)) return error;
  return new ToolError("failed", `${what} failed: ${firstLine(error)}`, {
    reason: "browser_failed",
    cause: error,
  });
}
