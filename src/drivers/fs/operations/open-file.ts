// A pinned regular file kept open, for reading in parts. The file stays the one that was judged,
// whatever happens to its name.

import { constants, fstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { abortError, type FsFile, fileClosed } from "../../../core/index.js";
import { pathChanged, toFsError } from "../errors.js";
import { isSameFile } from "../pin.js";
import { assertRegularFile, type PinnedFile } from "../read-pinned.js";
import { toFsStat } from "../stat.js";

export interface FileToOpen extends PinnedFile {
  readonly signal: AbortSignal | undefined;
}

/** The pin may be closed afterwards; the file is the caller's to close. */
export async function openPinned({ pin, path, signal }: FileToOpen): Promise<FsFile> {
  assertRegularFile({ pin, path });
  const handle = await open(pin.door, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle.fd, { bigint: true });
    if (!isSameFile(stats, pin.stats) || !(await pin.confirm())) throw pathChanged(path);
    return describeFile({ handle, path, signal, stat: toFsStat(stats) });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface OpenFile {
  readonly handle: FileHandle;
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly stat: FsFile["stat"];
}

function describeFile({ handle, path, signal, stat }: OpenFile): FsFile {
  let closing: Promise<void> | undefined;
  return {
    stat,
    async read(into, position) {
      if (closing) throw fileClosed(path);
      let filled = 0;
      // One call of the system may give less than there is.
      while (filled < into.byteLength) {
        if (signal?.aborted) throw abortError(signal);
        const { bytesRead } = await handle
          .read(into, filled, into.byteLength - filled, position + filled)
          .catch((error: unknown) => {
            throw closing ? fileClosed(path) : toFsError(error, path);
          });
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return filled;
    },
    close() {
      // The handle itself waits for reads that are under way.
      closing ??= handle.close();
      return closing;
    },
  };
}
