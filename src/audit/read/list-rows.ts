// The newest rows that are wanted. Files are read from their end, and no further than need be.

import { readBackward } from "../chain/lines.js";
import { type RowBody, readRow } from "../chain/row.js";
import { cutText } from "../write/call-body.js";
import { type AuditPart, withAuditFiles } from "./open-files.js";

export interface RowFilter {
  /** By the name of a tool. */
  readonly toolName?: string | undefined;
  readonly toolCallId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  readonly limit: number;
}

export type ListedRow = RowBody & {
  readonly sequence: number;
  readonly previous: string;
  readonly hash: string;
};

/** Oldest first. What is not a row is left out: `verify` tells of it. */
export async function listRows(folder: string, filter: RowFilter): Promise<ListedRow[]> {
  return withAuditFiles(folder, async ({ parts }) => {
    const rows: ListedRow[] = [];
    for (const part of [...parts].reverse()) {
      const isDone = await takeRows(part, { filter, rows });
      if (isDone) break;
    }
    return rows.reverse();
  });
}

/** True when nothing that is older can be wanted. */
async function takeRows(
  { handle, sizeBytes }: AuditPart,
  { filter, rows }: { readonly filter: RowFilter; readonly rows: ListedRow[] },
): Promise<boolean> {
  const { sinceMs = Number.NEGATIVE_INFINITY, limit } = filter;
  for await (const { bytes } of readBackward(handle, sizeBytes)) {
    if (rows.length >= limit) return true;
    const row = bytes && readRow(bytes);
    if (row === undefined) continue;
    // Rows stand in the order in which calls ended, near enough for the clock to tell.
    if (Date.parse(row.body.at) < sinceMs) return true;
    const { sequence, previous, hash, body } = row;
    if (isWanted(body, filter)) rows.push({ sequence, ...body, previous, hash });
  }
  return rows.length >= limit;
}

/** Of the rows that are not calls, those that tell of trouble stand among the calls of all tools. */
function isWanted(body: RowBody, { toolName, toolCallId }: RowFilter): boolean {
  if (toolName === undefined && toolCallId === undefined) return body.kind !== "begin";
  if (body.kind !== "call") return false;
  const isTool = toolName === undefined || body.toolName === toolName;
  return isTool && (toolCallId === undefined || body.toolCallId === cutText(toolCallId));
}
