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
  const latest = new Map<string, FileChange>();
  for (const found of later) {
    const { call } = found;
    const changes = (await findChanges(log, found)).filter(({ path }) =>
      of.files.some(({ change }) => change.path === path),
    );
    if (changes.length === 0) continue;
    laterCalls.push({ toolCallId: call.toolCallId, toolName: call.toolName });
    for (const change of changes) {
      if (!latest.has(change.path)) latest.set(change.path, change);
    }
  }
  const isTheirs = ({ change, now }: JudgedFile) => {
    const left = latest.get(change.path)?.after;
    return left !== undefined && isSameState(left, now);
  };
  return { laterCalls, isAllTheirs: of.files.every(isTheirs) };
}

/** A call that was taken back, and what took it back, leave nothing behind together. */
function withoutUndone(calls: readonly FoundCall[]): FoundCall[] {
  const undoers = new Set(calls.map(({ call }) => call.undoneBy));
  return calls.filter(({ call }) => call.undoneBy === undefined && !undoers.has(call.toolCallId));
}
