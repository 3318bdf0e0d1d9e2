// The log file of one output: its first and its last 16 MiB, the last as a ring. After an error
// nothing more is written, and the run goes on.

import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../../lib/make-folder.js";

export const MAX_LOG_HEAD_BYTES = 16 * 1024 * 1024;
export const MAX_LOG_TAIL_BYTES = 16 * 1024 * 1024;
const LOG_MODE = 0o600;
const FOLDER_MODE = 0o700;
const NO_FOLDER = "This output has no log, because no state folder is set.";

/** `path` is absolute; undefined keeps no log. */
export function createOutputLog(path: string | undefined) {
  let file: FileHandle | undefined;
  /** Everything before this position was written. */
  let written = 0;
  let problem = path === undefined ? NO_FOLDER : undefined;

  return {
    get written() {
      return written;
    },
    get problem() {
      return problem;
    },
    /** Bytes that follow the last ones and cross no border of the two parts. Never rejected. */
    async write(bytes: Uint8Array): Promise<void> {
      if (path === undefined || problem !== undefined) return;
      try {
        file ??= await createFile(path);
        for (let done = 0; done < bytes.length; ) {
          const place = placeOf(written + done);
          done += (await file.write(bytes, done, bytes.length - done, place)).bytesWritten;
        }
        written += bytes.length;
      } catch (error) {
        problem = `The log ends at byte ${written}: ${describe(error)}.`;
      }
    },
    async read(from: number, to: number): Promise<Buffer> {
      // The descriptor of the writer is closed when the run ends.
      const handle = await open(path ?? "", "r");
      try {
        const place = placeOf(from);
        const border =
          place < MAX_LOG_HEAD_BYTES ? MAX_LOG_HEAD_BYTES : MAX_LOG_HEAD_BYTES + MAX_LOG_TAIL_BYTES;
        const buffer = Buffer.alloc(Math.min(to - from, border - place));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, place);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
    async close(): Promise<void> {
      const closing = file;
      file = undefined;
      await closing?.close().catch((error: unknown) => {
        problem ??= `The log could not be closed: ${describe(error)}.`;
      });
    },
    /** After `close`. */
    async remove(): Promise<void> {
      if (path === undefined || written === 0) return;
      await rm(path, { force: true }).catch((error: unknown) => {
        problem = `The log could not be removed: ${describe(error)}.`;
      });
    },
  };
}

function placeOf(position: number): number {
  const behind = position - MAX_LOG_HEAD_BYTES;
  return behind < 0 ? position : MAX_LOG_HEAD_BYTES + (behind % MAX_LOG_TAIL_BYTES);
}

/** An existing file is left over from an old run. */
async function createFile(path: string): Promise<FileHandle> {
  await makeFolder(dirname(path), FOLDER_MODE);
  await rm(path, { force: true });
  return open(path, "wx", LOG_MODE);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
