// Whether a request that failed can have left: by it a caller knows if it may be repeated.

import type { ToolError } from "../../../core/index.js";

/** The same error, with `details.sent`. */
export function markSent(error: ToolError, isSent: boolean): ToolError {
  const details: object = typeof error.details === "object" ? { ...error.details } : {};
  return Object.assign(error, { details: { ...details, sent: isSent ? "maybe" : "no" } });
}
