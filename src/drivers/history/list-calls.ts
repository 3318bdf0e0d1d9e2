// Calls that changed files, each with the first of these and how many there are.

import type { ChangedCall, ChangedFile } from "../../core/index.js";
import { isSameState } from "./file-state.js";
import type { ChangeLog, FoundCall } from "./records/change-log.js";
import type { FileChange } from "./records/rows.js";

export const MAX_LISTED_FILES = 3;

/** Newest first. */
export async function listCalls(log: ChangeLog, limit: number): Promise<ChangedCall[]> {
  const listed: ChangedCall[] = [];
  for (const found of await log.list(limit)) {
    const { call } = found;
    const changes = await findChanges(log, found);
    const files = changes.slice(0, MAX_LISTED_FILES).map(toChangedFile);
    listed.push({ ...call, files, fileCount: changes.length });
  }
  return listed;
}

/** What a call changed in the end. */
export async function findChanges(log: ChangeLog, found: FoundCall): Promise<FileChange[]> {
  const changes = await log.changes(found);
  return changes.filter(({ before, after }) => !isSameState(before, after));
}

export function kindOf({ before, after }: FileChange): ChangedFile["change"] {
  if (before.kind === "absent") return "created";
  return after.kind === "absent" ? "removed" : "modified";
}

function toChangedFile(change: FileChange): ChangedFile {
  const { path, movedFrom } = change;
  return { path, change: kindOf(change), ...(movedFrom !== undefined && { movedFrom }) };
}
