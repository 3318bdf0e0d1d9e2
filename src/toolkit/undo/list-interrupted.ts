// Calls without a known outcome as programs see them: one whose changes were taken back since is
// marked with the undo that did it.

import type { History, InterruptedCall, RecordedCall } from "../../core/index.js";
import type { JournalRow } from "../../drivers/journal/index.js";

/** Without a history nothing is marked. */
export async function listInterrupted(
  rows: readonly JournalRow[],
  history: Pick<History, "find"> | undefined,
): Promise<InterruptedCall[]> {
  const listed: InterruptedCall[] = [];
  for (const row of rows) {
    const { toolCallId, toolName, sessionKey, argumentsText, atMs, end } = row;
    const record = await findRecord(row, history);
    listed.push({
      toolCallId,
      toolName,
      ...(sessionKey !== undefined && { sessionKey }),
      argumentsText,
      atMs,
      interruptedAtMs: end.atMs,
      ...(record?.undoneBy !== undefined && { undoneBy: record.undoneBy }),
    });
  }
  return listed;
}

/** What a call changed before it was interrupted. An id may have been used before and again. */
export async function findRecord(
  { toolCallId, toolName, atMs, end }: JournalRow,
  history: Pick<History, "find"> | undefined,
): Promise<RecordedCall | undefined> {
  const record = await history?.find(toolCallId);
  if (record === undefined || record.toolName !== toolName) return undefined;
  return atMs <= record.atMs && record.atMs <= end.atMs ? record : undefined;
}
