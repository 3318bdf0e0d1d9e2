// Appends rows to the chain under a lock, and puts full files aside.
import { type FileHandle, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, ToolError } from "../core/index.js";
import { isMissing } from "../lib/errno.js";
import { type LockPorts, withLock } from "../lib/system/rename-lock.js";
import { type OpenFile, openAuditFile } from "./open-file.js";
import {
  AUDIT_FILE,
  archiveName,
  archiveNumbers,
  CHAIN_START,
  type Link,
  type RowBody,
  readHead,
  writeHead,
  writeRow,
} from "./row.js";

const MAX_WAIT_MS = 5_000;

type Lock = ReturnType<typeof createLock>;

export interface AuditLimits {
  readonly maxBytes: number;
  readonly keepFiles: number;
}

interface AppenderSource {
  readonly folder: string;
  readonly clock: Clock;
  readonly lock: Lock;
  readonly limits: AuditLimits;
}

export function createAppender({ folder, clock, lock, limits }: AppenderSource) {
  const path = join(folder, AUDIT_FILE);
  let current: OpenFile | undefined;
  let known: Link = CHAIN_START;

  async function letGo(): Promise<void> {
    const handle = current?.handle;
    current = undefined;
    await handle?.close();
  }

  async function openAgain(): Promise<OpenFile> {
    await letGo();
    current = await openAuditFile({ folder, clock, known });
    return current;
  }

  async function useCurrent(): Promise<OpenFile> {
    const facts = await stat(path).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    const isSame = facts?.ino === current?.inode && facts?.size === current?.sizeBytes;
    return current !== undefined && isSame ? current : openAgain();
  }

  async function putAside(full: OpenFile): Promise<OpenFile> {
    await full.handle.datasync();
    await rename(path, join(folder, archiveName(full.file)));
    const next = await openAgain();
    const oldestFile = Math.max(full.oldestFile, next.file - limits.keepFiles);
    const at = new Date(clock.now()).toISOString();
    const owed = [{ kind: "begin", at, file: next.file, oldestFile } as const];
    current = { ...next, oldestFile, owed };
    return current;
  }

  async function appendSome(bodies: RowBody[]): Promise<void> {
    const { maxBytes } = limits;
    let file = await useCurrent();
    let draft = draftRows(file, { bodies, maxBytes });
    const isFull = draft.ends.length === 0 && file.owed.length === 0;
    if (isFull) {
      file = await putAside(file);
      draft = draftRows(file, { bodies, maxBytes });
    }
    try {
      await writeWhole(file.handle, draft.bytes);
    } catch (error) {
      await letGo();
      await dropWritten(bodies, draft).catch(letGo);
      throw error;
    }
    const sizeBytes = file.sizeBytes + draft.bytes.length;
    current = { ...file, sizeBytes, last: draft.last, owed: [], owesLineFeed: false };
    known = draft.last;
    bodies.splice(0, draft.ends.length);
    // Not before the new file says that they are not needed.
    if (isFull) await removeBefore(folder, file.oldestFile);
  }

  /** A write that failed half-way may have written whole rows: those are not written again. */
  async function dropWritten(bodies: RowBody[], { ends }: Draft): Promise<void> {
    const { last } = await openAgain();
    const written = ends.findIndex(({ hash }) => hash === last.hash) + 1;
    bodies.splice(0, written);
    if (written > 0) known = last;
  }

  return {
    /** Takes what it has written off the list; rejects when some are left. */
    append: (bodies: RowBody[]) =>
      lock.within(async () => {
        while (bodies.length > 0) await appendSome(bodies);
      }),
    /** Brings all that was appended to the disk, then says so in the head. */
    async sync() {
      if (current === undefined) return;
      const { handle, last } = current;
      await handle.datasync();
      await lock.within(async () => {
        const head = await readHead(folder);
        const isAhead = head.kind === "found" && head.link.sequence >= last.sequence;
        if (!isAhead) await writeHead(folder, last);
      });
    },
    close: letGo,
  };
}

async function removeBefore(folder: string, oldestFile: number): Promise<void> {
  const numbers = archiveNumbers(await readdir(folder));
  for (const number of numbers.filter((one) => one < oldestFile)) {
    await rm(join(folder, archiveName(number)), { force: true });
  }
}

async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, null);
    written += bytesWritten;
  }
}

interface Draft {
  readonly bytes: Buffer;
  readonly last: Link;
  readonly ends: readonly Link[];
}

function draftRows(
  file: Pick<OpenFile, "sizeBytes" | "last" | "owed" | "owesLineFeed">,
  { bodies, maxBytes }: { readonly bodies: readonly RowBody[]; readonly maxBytes: number },
): Draft {
  const parts = file.owesLineFeed ? ["\n"] : [];
  const ends: Link[] = [];
  let roomBytes = maxBytes - file.sizeBytes;
  let { last } = file;
  const add = (line: Link & { readonly text: string }) => {
    parts.push(line.text, "\n");
    last = { sequence: line.sequence, hash: line.hash };
    roomBytes -= Buffer.byteLength(line.text) + 1;
  };
  for (const body of file.owed) add(writeRow(body, last));
  for (const body of bodies) {
    const line = writeRow(body, last);
    // A new file takes one in any case, or there would be no end of new files.
    const mustFit = ends.length > 0 || file.owed.length === 0;
    if (mustFit && Buffer.byteLength(line.text) + 1 > roomBytes) break;
    add(line);
    ends.push(last);
  }
  return { bytes: Buffer.from(parts.join("")), last, ends };
}

export function createLock(folder: string, ports: LockPorts) {
  const options = { ...ports, folder, maxWaitMs: MAX_WAIT_MS, busy: () => busy(folder) };
  return {
    /** Throws `unavailable` / `audit_busy` when others keep it for five seconds. */
    within: <Value>(work: () => Promise<Value>) => withLock(options, work),
  };
}

function busy(folder: string): ToolError {
  return new ToolError(
    "unavailable",
    `The audit is being written by others since ${MAX_WAIT_MS / 1_000} seconds; remove "${folder}" when there are none.`,
    { reason: "audit_busy" },
  );
}
