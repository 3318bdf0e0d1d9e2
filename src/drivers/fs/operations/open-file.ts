// A pinned regular file kept open, for reading in parts. The file stays the one that was judged,
// whatever happens to its name.

import { closeSync, constants } from "node:fs";
import { type FileWithAccess, fileClosed } from "../../../core/files/index.js";
import { abortError, type FsFile } from "../../../core/index.js";
import { pathChanged, toFsError } from "../errors.js";
import { isSameFile } from "../pin.js";
import { assertRegularFile, type PinnedFile } from "../read-pinned.js";
import { accessOf, toFsStat } from "../stat.js";
import { type OpenFile, read, statOpen } from "./descriptor.js";

export interface FileToOpen extends PinnedFile {
  readonly signal: AbortSignal | undefined;
}

/** The pin may be closed afterwards; the file is the caller's to close. */
export async function openPinned({ pin, path, signal }: FileToOpen): Promise<FileWithAccess> {
  assertRegularFile({ pin, path });
  const descriptor = await pin.open(constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await statOpen({ descriptor, isLocal: pin.isLocal });
    if (!isSameFile(stats, pin.stats) || !(await pin.confirm())) throw pathChanged(path);
    const file = describeFile({
      ...{ descriptor, isLocal: pin.isLocal, path, signal },
      stat: toFsStat(stats),
    });
    return { ...file, ...accessOf(stats) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

interface FileToRead extends OpenFile {
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly stat: FsFile["stat"];
}

function describeFile({ path, signal, stat, ...file }: FileToRead): FsFile {
  const underWay = new Set<Promise<number>>();
  let closing: Promise<void> | undefined;

  async function fill(into: Uint8Array, position: number): Promise<number> {
    let filled = 0;
    while (filled < into.byteLength) {
      if (signal?.aborted) throw abortError(signal);
      const room = into.byteLength - filled;
      const bytesRead = await read(file, { into, from: filled, position: position + filled });
      filled += bytesRead;
      if (bytesRead === 0) break;
      // One call of the system may give less than there is; behind the known end it has said all.
      if (bytesRead < room && stat.size > 0 && position + filled >= stat.size) break;
    }
    return filled;
  }

  /** A number that was closed may mean another file, so reads that are under way come first. */
  async function close(): Promise<void> {
    if (underWay.size > 0) await Promise.allSettled(underWay);
    closeSync(file.descriptor);
  }

  return {
    stat,
    async read(into, position) {
      if (closing) throw fileClosed(path);
      const reading = fill(into, position);
      underWay.add(reading);
      try {
        return await reading;
      } catch (error) {
        throw toFsError(error, path);
      } finally {
        underWay.delete(reading);
      }
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
