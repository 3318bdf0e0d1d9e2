// Why a call cannot be taken back or shown.
import {
  type HistoryProblem,
  isToolError,
  ToolError,
  ToolInputError,
  toToolError,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { FileChange } from "./records/rows.js";

const MAX_ID_CHARS = 80;
const MAX_NAMED_FILES = 5;
const MAX_NAMED_CALLS = 3;
const FORCE = "{ force: true }";

export function callIdInvalid(): ToolError {
  return new ToolInputError("Give the id of a call as text.", { reason: "call_id_invalid" });
}

export function callUnknown(toolCallId: string, latest: readonly string[]): ToolError {
  const known =
    latest.length === 0
      ? "no call has changed files here yet"
      : `the latest calls are ${latest.map((id) => `"${show(id)}"`).join(", ")}`;
  return new ToolError(
    "not_found",
    `No file changes are recorded for call "${show(toolCallId)}"; ${known}.`,
    { reason: "undo_unknown", details: { latest } },
  );
}

export function callExpired(toolCallId: string): ToolError {
  return new ToolError(
    "not_found",
    `The changes of call "${show(toolCallId)}" have expired; they cannot be undone or shown.`,
    { reason: "undo_expired" },
  );
}

export function alreadyUndone(toolCallId: string, undoneBy: string): ToolError {
  return new ToolError(
    "conflict",
    `Call "${show(toolCallId)}" is already undone; undo "${show(undoneBy)}" to restore its changes.`,
    { reason: "undo_done", details: { undoneBy } },
  );
}

interface ChangedSince {
  readonly toolCallId: string;
  readonly paths: readonly string[];
  readonly laterCalls: readonly LaterCall[];
  readonly isAllTheirs: boolean;
}

export interface LaterCall {
  readonly toolCallId: string;
  readonly toolName: string;
}

export function changedSince(since: ChangedSince): ToolError {
  const { paths, laterCalls } = since;
  return new ToolError("conflict", `Nothing was undone: ${describeChangedSince(since)}`, {
    reason: "undo_conflict",
    details: { files: paths, laterCalls },
  });
}

function describeChangedSince({
  toolCallId,
  paths,
  laterCalls,
  isAllTheirs,
}: ChangedSince): string {
  const overwrite = `undo with ${FORCE} to overwrite ${paths.length === 1 ? "it" : "them"}`;
  if (laterCalls.length === 0) {
    return `${name(paths)} changed after call "${show(toolCallId)}", by no call that is known here; look at it, then ${overwrite}.`;
  }
  const shown = laterCalls.slice(0, MAX_NAMED_CALLS);
  const calls = shown.map((one) => `"${show(one.toolCallId)}" (${show(one.toolName)})`);
  const left = laterCalls.length - shown.length;
  const by = `${name(paths)} changed since by ${calls.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  if (!isAllTheirs) return `${by} and then by no known call; look at it, then ${overwrite}.`;
  const these = laterCalls.length === 1 ? "that" : "these";
  return `${by}; undo ${these} first, or ${overwrite}.`;
}

/** Also by force: what is there is none of the call's. */
export function leadsElsewhere(toolCallId: string, paths: readonly string[]): ToolError {
  const [lead, is] = paths.length === 1 ? ["leads", "it leads"] : ["lead", "they lead"];
  return new ToolError(
    "conflict",
    `Nothing was undone: ${name(paths)} ${lead} to another file now than call "${show(toolCallId)}" changed; see that ${is} there again first.`,
    { reason: "undo_conflict", details: { files: paths, laterCalls: [] } },
  );
}

export function contentDamaged(hash: string, bytes: Buffer | undefined): ToolError {
  return new ToolError(
    "failed",
    `The old content ${hash.slice(0, 12)} is ${bytes ? "damaged" : "gone"}; it cannot be put back.`,
    { reason: "undo_damaged" },
  );
}

export function fileDamaged(path: string, cause: ToolError): ToolError {
  return new ToolError(
    "failed",
    `Nothing was undone: the old content of "${toPrintable(path)}" is damaged or gone in the state folder; restore it by other means.`,
    { reason: "undo_damaged", details: { files: [path] }, cause },
  );
}

export function contentNotKept(toolCallId: string, changes: readonly FileChange[]): ToolError {
  const files = changes.map(({ path, before }) => ({
    path,
    reason: before.kind === "unkept" ? before.reason : "undo_damaged",
  }));
  const isLimit = files.some(({ reason }) => reason === "file_too_large");
  const paths = files.map(({ path }) => path);
  return new ToolError(
    isLimit ? "limit" : "unavailable",
    `Nothing was undone: the old content of ${name(paths)} was not kept by call "${show(toolCallId)}" (${files[0]?.reason}); restore it by other means.`,
    { reason: "undo_not_kept", details: { files } },
  );
}

export function cannotRemove(paths: readonly string[]): ToolError {
  return new ToolError(
    "unavailable",
    `Nothing was undone: ${name(paths)} would have to be removed, and the bridge offers no remove.`,
    { reason: "bridge_cannot_remove", details: { files: paths } },
  );
}

export function folderStands(paths: readonly string[]): ToolError {
  const isOne = paths.length === 1;
  return new ToolError(
    "conflict",
    `Nothing was undone: ${name(paths)} ${isOne ? "is a folder that is" : "are folders that are"} not empty now, and ${isOne ? "stays" : "stay"}; move ${isOne ? "it" : "them"} away first.`,
    { reason: "folder_not_empty", details: { files: paths } },
  );
}

export function undoIncomplete(paths: readonly string[], cause: unknown): ToolError {
  return new ToolError(
    "failed",
    `The undo failed, and ${name(paths)} could not be put back as it was before; look at these files.`,
    { reason: "undo_incomplete", details: { files: paths }, cause },
  );
}

function show(id: string): string {
  return toPrintable(id, MAX_ID_CHARS);
}

function name(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED_FILES).map((path) => `"${toPrintable(path)}"`);
  const left = paths.length - shown.length;
  return left > 0 ? `${shown.join(", ")} and ${left} more` : shown.join(", ");
}

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

const MEBIBYTE = 1024 * 1024;
const HOUR_MS = 60 * 60_000;

export interface HistoryLimits {
  /** A larger file is not kept: the call runs, and its undo answers `limit`. */
  readonly maxFileBytes: number;
  /** Over this the oldest calls go first. */
  readonly maxTotalBytes: number;
  readonly maxAgeMs: number;
}

export const DEFAULT_LIMITS: HistoryLimits = {
  maxFileBytes: 32 * MEBIBYTE,
  maxTotalBytes: 512 * MEBIBYTE,
  maxAgeMs: 7 * 24 * HOUR_MS,
};

/** All old content of a bridge that is not a folder of this machine: it is kept in memory. */
export const MEMORY_LIMITS: HistoryLimits = { ...DEFAULT_LIMITS, maxTotalBytes: 64 * MEBIBYTE };
/** What nothing refers to is kept that long, in case a call is still recording it. */
export const MIN_UNUSED_AGE_MS = HOUR_MS;
export const MIN_RECORDING_MS = 10_000;
/** What is over the total is looked for when so large a part of it was added. */
export const PRUNE_PART = 8;

export function readLimits(
  given: Partial<HistoryLimits> | undefined,
  defaults: HistoryLimits,
): HistoryLimits {
  const limits = { ...defaults, ...given };
  return { ...limits, maxFileBytes: Math.min(limits.maxFileBytes, limits.maxTotalBytes) };
}
