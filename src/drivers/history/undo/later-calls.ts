// Who changed files after a call: the later calls whose changes still stand.

import type { LaterCall } from "../errors.js";
import { isSameState } from "../file-state.js";
import { findChanges } from "../list-calls.js";
import { type ChangeLog, type FoundCall, isLater } from "../records/change-log.js";
import type { FileChange } from "../records/rows.js";
import type { JudgedFile } from "./plan.js";

/** Of more than so many the oldest are not looked at. */
const MAX_LATER_CALLS = 1_000;

export interface LaterCalls {
  /** Newest first. */
  readonly laterCalls: readonly LaterCall[];
  /** Whether they left every one of the files as it is now. */
  readonly isAllTheirs: boolean;
}

export async function findLaterCalls(
  log: ChangeLog,
  of: { readonly callKey: string; readonly files: readonly JudgedFile[] },
): Promise<LaterCalls> {
  const recent = await log.list(MAX_LATER_CALLS);
  const later = withoutUndone(recent.filter((call) => isLater(call, of)));
  const laterCalls: LaterCall[] = [];
  /** What was last made of each of the files. */
  const latest = new Map<JudgedFile, FileChange>();
  for (const found of later) {
    const { call } = found;
    const changes = await findChanges(log, found);
    let isOfFiles = false;
    for (const file of of.files) {
      const change = changes.findLast((one) => isSamePlace(one, file.change));
      if (!change) continue;
      isOfFiles = true;
      if (!latest.has(file)) latest.set(file, change);
    }
    if (isOfFiles) laterCalls.push({ toolCallId: call.toolCallId, toolName: call.toolName });
  }
  const isTheirs = (file: JudgedFile) => {
    const left = latest.get(file)?.after;
    return left !== undefined && isSameState(left, file.now);
  };
  return { laterCalls, isAllTheirs: of.files.every(isTheirs) };
}

/** Where it is not known of both where the file really lay, by its path as well. */
function isSamePlace(one: FileChange, other: FileChange): boolean {
  if ((one.place ?? one.path) === (other.place ?? other.path)) return true;
  const isKnown = one.place !== undefined && other.place !== undefined;
  return !isKnown && one.path === other.path;
}

/** A call that was taken back, and what took it back, leave nothing behind together. */
function withoutUndone(calls: readonly FoundCall[]): FoundCall[] {
  const undoers = new Set(calls.map(({ call }) => call.undoneBy));
  return calls.filter(({ call }) => call.undoneBy === undefined && !undoers.has(call.toolCallId));
}
