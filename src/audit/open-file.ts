// Opens or makes the audit file, and marks what a crash or someone else left.
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, ToolError } from "../core/index.js";
import { isMissing } from "../lib/errno.js";
import { openPlainFile } from "../lib/system/open-plain.js";
import { type FileBegin, type FileEnd, findEnd, readBegin } from "./lines.js";
import {
  AUDIT_FILE,
  archiveName,
  archiveNumbers,
  CHAIN_START,
  type Link,
  type RowBody,
  readHead,
  writeHead,
} from "./row.js";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS_MASK = 0o077;
const NO_LINKS = constants.O_NOFOLLOW ?? 0;
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NO_LINKS;

export interface OpenFile extends FileBegin {
  readonly handle: FileHandle;
  readonly inode: number;
  readonly sizeBytes: number;
  readonly last: Link;
  readonly owed: readonly RowBody[];
  readonly owesLineFeed: boolean;
}

interface OpenRequest {
  readonly folder: string;
  readonly clock: Clock;
  readonly known: Link;
}

/** The caller holds the lock. */
export async function openAuditFile(request: OpenRequest): Promise<OpenFile> {
  const { folder, clock } = request;
  const { promised, isHeadMissing } = await readPromise(request);
  const archives = archiveNumbers(await readdir(folder));
  await assertPlain(folder);
  const handle = await open(join(folder, AUDIT_FILE), APPEND, FILE_MODE);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw noFile(folder);
    if ((facts.mode & OTHERS_MASK) !== 0) await handle.chmod(FILE_MODE);
    const { size: sizeBytes, ino: inode } = facts;
    const end = await findEnd(handle, { sizeBytes, sequence: promised.sequence });
    const before = end.last ? undefined : await readArchiveEnd(folder, archives);
    const place = (await readBegin(handle, sizeBytes)) ?? before ?? { file: 1, oldestFile: 1 };
    const found = end.last ?? before?.last ?? CHAIN_START;
    // An audit without rows never had a head.
    const isHeadLost = isHeadMissing && found.sequence > 0;
    return {
      handle,
      inode,
      sizeBytes,
      ...{ file: place.file, oldestFile: place.oldestFile },
      last: { ...found, sequence: Math.max(found.sequence, promised.sequence) },
      owed: listOwed({
        ...{ end, found, promised, place },
        isHeadLost,
        at: new Date(clock.now()).toISOString(),
      }),
      owesLineFeed: !end.endsWithLineFeed,
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The last row that must exist. A new audit gets its head before its file. */
async function readPromise({ folder, known }: OpenRequest) {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const head = await readHead(folder);
  if (head.kind === "none") await writeHead(folder, known);
  const link = head.kind === "found" ? head.link : known;
  return {
    promised: link.sequence > known.sequence ? link : known,
    isHeadMissing: head.kind !== "found",
  };
}

async function assertPlain(folder: string): Promise<void> {
  const facts = await lstat(join(folder, AUDIT_FILE)).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (facts !== undefined && !facts.isFile()) throw noFile(folder);
}

async function readArchiveEnd(
  folder: string,
  archives: readonly number[],
): Promise<(FileBegin & { readonly last: Link | undefined }) | undefined> {
  const newest = archives.at(-1);
  if (newest === undefined) return undefined;
  const handle = await openPlainFile(join(folder, archiveName(newest))).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const { size: sizeBytes } = await handle.stat();
    const { last } = await findEnd(handle, { sizeBytes, sequence: undefined });
    const oldestFile = (await readBegin(handle, sizeBytes))?.oldestFile ?? archives[0] ?? newest;
    return { file: newest + 1, oldestFile, last };
  } finally {
    await handle.close();
  }
}

interface Findings {
  readonly end: FileEnd;
  readonly found: Link;
  readonly promised: Link;
  readonly place: FileBegin;
  readonly isHeadLost: boolean;
  readonly at: string;
}

function listOwed({ end, found, promised, place, isHeadLost, at }: Findings): RowBody[] {
  const { file, oldestFile } = place;
  const isCut = found.sequence < promised.sequence;
  const isOther = end.hashAt !== undefined && end.hashAt !== promised.hash;
  return [
    ...(end.torn ? [{ kind: "torn", at, ...end.torn } as const] : []),
    ...(end.last ? [] : [{ kind: "begin", at, file, oldestFile } as const]),
    ...(isHeadLost ? [{ kind: "missing", at, foundSequence: found.sequence } as const] : []),
    ...(isCut || isOther
      ? [
          {
            kind: "missing",
            at,
            foundSequence: found.sequence,
            headSequence: promised.sequence,
            headHash: promised.hash,
          } as const,
        ]
      : []),
  ];
}

function noFile(folder: string): ToolError {
  return new ToolError(
    "unavailable",
    `"${join(folder, AUDIT_FILE)}" is not a file; remove it, so that the audit can be written.`,
    { reason: "audit_unwritable" },
  );
}
