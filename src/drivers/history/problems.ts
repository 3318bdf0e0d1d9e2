// Why the past of a change was not kept, in words; and the refusal where it must be.

import { type HistoryProblem, isToolError, ToolError, toToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";

const WHY: Readonly<Record<string, string>> = {
  file_too_large: "it is larger than what is kept",
  not_regular_file: "it is not a regular file",
  not_readable: "it could not be read",
  not_stored: "it could not be stored",
};

export function describeUnkept(path: string, reason: string, detail = ""): HistoryProblem {
  const why = `${WHY[reason] ?? reason}${detail === "" ? "" : `: ${detail}`}`;
  const message = `The old content of "${toPrintable(path)}" was not kept, so this change cannot be undone: ${why}`;
  return { path, reason, message: message.endsWith(".") ? message : `${message}.` };
}

export function describeUnrecorded(error: unknown): HistoryProblem {
  const { message, reason } = toToolError(error);
  return {
    reason: reason ?? "not_recorded",
    message: `This call cannot be undone, because it could not be recorded: ${message}`,
  };
}

export function describeUnmarked(toolCallId: string, error: unknown): HistoryProblem {
  const { message, reason } = toToolError(error);
  return {
    reason: reason ?? "not_recorded",
    message: `The files of call "${toPrintable(toolCallId)}" are put back, but it could not be noted as undone: ${message}`,
  };
}

export function isRefusal(error: unknown): boolean {
  return isToolError(error) && error.reason === "undo_required";
}

export function notKept({ message, reason, path }: HistoryProblem, cause: unknown): ToolError {
  const code = reason === "file_too_large" ? "limit" : "unavailable";
  const details = { why: reason, ...(path === undefined ? {} : { path }) };
  return new ToolError(code, `Nothing was changed. ${message}`, {
    reason: "undo_required",
    details,
    cause,
  });
}
