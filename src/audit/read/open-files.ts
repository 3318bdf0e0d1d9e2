// The files of the audit as they are at one moment, opened for reading; a file that is put aside
// meanwhile is looked for again.

import { type FileHandle, readdir } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { openPlainFile } from "../../lib/system/open-plain.js";
import { AUDIT_FILE, archiveName, archiveNumbers } from "../names.js";

const MAX_TRIES = 10;

export interface AuditPart {
  readonly name: string;
  /** undefined for the file that is written to. */
  readonly number: number | undefined;
  readonly handle: FileHandle;
  /** What is written later is not read. */
  readonly sizeBytes: number;
}

/** An audit file that cannot be read. */
interface UnreadablePart {
  readonly name: string;
  /** A sentence. */
  readonly why: string;
}

interface AuditParts {
  /** Oldest first. */
  readonly parts: readonly AuditPart[];
  readonly unreadable: readonly UnreadablePart[];
}

/** They are closed when `work` has ended. */
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

/** undefined when nothing is there; a sentence when it cannot be read. */
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
