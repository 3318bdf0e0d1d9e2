// The files of the audit as they are at one moment, opened for reading; a file that is put aside
// meanwhile is looked for again.

import { constants } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../lib/errno.js";
import { AUDIT_FILE, archiveName, archiveNumbers } from "../names.js";

const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
const MAX_TRIES = 10;

export interface AuditPart {
  readonly name: string;
  /** undefined for the file that is written to. */
  readonly number: number | undefined;
  readonly handle: FileHandle;
  /** What is written later is not read. */
  readonly sizeBytes: number;
}

/** Oldest first; they are closed when `work` has ended. */
export async function withAuditFiles<Value>(
  folder: string,
  work: (parts: readonly AuditPart[]) => Promise<Value>,
): Promise<Value> {
  const parts = await openParts(folder, MAX_TRIES);
  try {
    return await work(parts);
  } finally {
    await closeAll(parts);
  }
}

async function openParts(folder: string, triesLeft: number): Promise<AuditPart[]> {
  const archives = await listArchives(folder);
  const names = [
    ...archives.map((number) => ({ name: archiveName(number), number })),
    { name: AUDIT_FILE, number: undefined },
  ];
  const parts: AuditPart[] = [];
  for (const { name, number } of names) {
    const handle = await openOrMiss(join(folder, name));
    if (handle === undefined) continue;
    const { size: sizeBytes } = await handle.stat();
    parts.push({ name, number, handle, sizeBytes });
  }
  const again = await listArchives(folder);
  const isSame = again.length === archives.length && again.at(-1) === archives.at(-1);
  if (isSame || triesLeft <= 1) return parts;
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

async function openOrMiss(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, READ);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function closeAll(parts: readonly AuditPart[]): Promise<void> {
  for (const { handle } of parts) await handle.close();
}
