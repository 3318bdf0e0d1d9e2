// The newest rows that are wanted. Files are read from their end, and no further than need be.

import { type FileHandle, readdir } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf, isMissing } from "../lib/errno.js";
import { openPlainFile } from "../lib/system/open-plain.js";
import { cutText } from "./call-body.js";
import { readBackward } from "./lines.js";
import { AUDIT_FILE, archiveName, archiveNumbers, type RowBody, readRow } from "./row.js";

export interface RowFilter {
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

/** Oldest first. Lines that are not rows are left out; `verify` reports them. */
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

function isWanted(body: RowBody, { toolName, toolCallId }: RowFilter): boolean {
  if (toolName === undefined && toolCallId === undefined) return body.kind !== "begin";
  if (body.kind !== "call") return false;
  const isTool = toolName === undefined || body.toolName === toolName;
  return isTool && (toolCallId === undefined || body.toolCallId === cutText(toolCallId));
}

const MAX_TRIES = 10;

export interface AuditPart {
  readonly name: string;
  readonly number: number | undefined;
  readonly handle: FileHandle;
  readonly sizeBytes: number;
}

interface UnreadablePart {
  readonly name: string;
  readonly why: string;
}

interface AuditParts {
  /** Oldest first. */
  readonly parts: readonly AuditPart[];
  readonly unreadable: readonly UnreadablePart[];
}

export async function withAuditFiles<Value>(
  folder: string,
  work: (found: AuditParts) => Promise<Value>,
): Promise<Value> {
  const found = await openParts(folder, MAX_TRIES);
  try {
    return await work(found);
  } finally {
    await closeAll(found.parts);
  }
}

async function openParts(folder: string, triesLeft: number): Promise<AuditParts> {
  const archives = await listArchives(folder);
  const names = [
    ...archives.map((number) => ({ name: archiveName(number), number })),
    { name: AUDIT_FILE, number: undefined },
  ];
  const parts: AuditPart[] = [];
  const unreadable: UnreadablePart[] = [];
  for (const { name, number } of names) {
    const found = await openOrSay(join(folder, name));
    if (found === undefined) continue;
    if (typeof found === "string") {
      unreadable.push({ name, why: found });
      continue;
    }
    const { size: sizeBytes } = await found.stat();
    parts.push({ name, number, handle: found, sizeBytes });
  }
  const again = await listArchives(folder);
  const isSame = again.length === archives.length && again.at(-1) === archives.at(-1);
  if (isSame || triesLeft <= 1) return { parts, unreadable };
  await closeAll(parts);
  return openParts(folder, triesLeft - 1);
}

async function listArchives(folder: string): Promise<number[]> {
  try {
    return archiveNumbers(await readdir(folder));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function openOrSay(path: string): Promise<FileHandle | string | undefined> {
  try {
    return (await openPlainFile(path)) ?? "It is a link, a folder or a pipe, and no file.";
  } catch (error) {
    if (isMissing(error)) return undefined;
    const errno = errnoOf(error);
    if (errno === "") throw error;
    return `It cannot be opened (${errno}).`;
  }
}

async function closeAll(parts: readonly AuditPart[]): Promise<void> {
  for (const { handle } of parts) await handle.close();
}
