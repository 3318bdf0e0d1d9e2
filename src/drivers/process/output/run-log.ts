// The log of one run: the first and the last 16 MiB, the last as a ring. A disk error ends the log
// but not the run.
import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../../lib/make-folder.js";

export const MAX_LOG_HEAD_BYTES = 16 * 1024 * 1024;
export const MAX_LOG_TAIL_BYTES = 16 * 1024 * 1024;
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const LOG_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export interface RunLogOptions {
  /** Absolute; undefined keeps only what is in memory. */
  readonly path: string | undefined;
}

export function createRunLog({ path }: RunLogOptions) {
  const blocks = createLogBlocks();
  let file: FileHandle | undefined;
  /** Everything before this position was written. */
  let written = 0;
  /** Everything before this position is being written. */
  let reserved = 0;
  let problem =
    path === undefined ? "This output has no log, because no state folder is set." : undefined;
  let writing: Promise<void> | undefined;
  let isRemoved = false;

  async function writeBlock(block: { start: number; bytes: Buffer }): Promise<void> {
    file ??= await createLog(path ?? "");
    reserved = block.start + block.bytes.length;
    // Both parts are multiples of a block, so no block crosses a border.
    await writeAll(file, { bytes: block.bytes, place: placeOf(block.start) });
    written = reserved;
    blocks.shift();
  }

  async function writeBlocks(next: () => { start: number; bytes: Buffer } | undefined) {
    try {
      for (let block = next(); block && !isRemoved; block = next()) await writeBlock(block);
    } catch (error) {
      problem = `The log ends at byte ${written}: ${describe(error)}.`;
      blocks.clear();
    }
  }

  function startWriting(): void {
    if (writing || isRemoved || problem !== undefined || blocks.full === undefined) return;
    writing = writeBlocks(() => blocks.full).finally(() => {
      writing = undefined;
      startWriting();
    });
  }

  function ranges(): readonly ByteRange[] {
    const end = problem === undefined ? blocks.end : written;
    const tailFrom = Math.max(MAX_LOG_HEAD_BYTES, reserved - MAX_LOG_TAIL_BYTES);
    if (tailFrom === MAX_LOG_HEAD_BYTES) return [{ from: 0, to: end }];
    return [
      { from: 0, to: MAX_LOG_HEAD_BYTES },
      { from: tailFrom, to: Math.max(tailFrom, end) },
    ];
  }

  async function readFile({ from, to }: ByteRange): Promise<Buffer> {
    // The writer's descriptor closes when the run ends.
    const handle = await open(path ?? "", "r");
    try {
      const parts: Buffer[] = [];
      for (let position = from; position < to; ) {
        const place = placeOf(position);
        const border =
          place < MAX_LOG_HEAD_BYTES ? MAX_LOG_HEAD_BYTES : MAX_LOG_HEAD_BYTES + MAX_LOG_TAIL_BYTES;
        const length = Math.min(to - position, border - place);
        parts.push(await readAll(handle, { place, length }));
        position += length;
      }
      return Buffer.concat(parts);
    } finally {
      await handle.close();
    }
  }

  return {
    append(bytes: Uint8Array) {
      if (problem !== undefined || isRemoved) return;
      blocks.append(bytes);
      startWriting();
    },
    get isFull() {
      return blocks.waitingBytes > MAX_WAITING_BYTES;
    },
    async drained() {
      while (writing && blocks.waitingBytes > MAX_WAITING_BYTES / 2) await writing;
    },
    get problem() {
      return problem;
    },
    ranges,
    /** Fewer bytes when some were overwritten. */
    async read(range: ByteRange): Promise<Buffer> {
      const inFile = Math.min(range.to, written);
      // First: a waiting block may be in the file by the time that was read.
      const waiting = blocks.slice(Math.max(range.from, inFile), range.to);
      if (range.from >= inFile) return waiting;
      const logged = await readFile({ from: range.from, to: inFile });
      // Its oldest bytes may have been overwritten meanwhile.
      const isThere = ranges().some(({ from, to }) => range.from >= from && range.from <= to);
      return isThere ? Buffer.concat([logged, waiting]) : EMPTY;
    },
    async finish(): Promise<void> {
      while (writing) await writing;
      if (file === undefined) return;
      if (problem === undefined) await writeBlocks(() => blocks.oldest);
      blocks.clear();
      const closing = file;
      file = undefined;
      await closing.close().catch((error: unknown) => {
        problem ??= `The log could not be closed: ${describe(error)}.`;
      });
    },
    async remove(): Promise<void> {
      isRemoved = true;
      await this.finish();
      blocks.clear();
      if (path === undefined || written === 0) return;
      await rm(path, { force: true }).catch((error: unknown) => {
        problem = `The log could not be removed: ${describe(error)}.`;
      });
    },
  };
}

const EMPTY = Buffer.alloc(0);

function placeOf(position: number): number {
  const behind = position - MAX_LOG_HEAD_BYTES;
  return behind < 0 ? position : MAX_LOG_HEAD_BYTES + (behind % MAX_LOG_TAIL_BYTES);
}

/** An existing file is left over from an old run. */
async function createLog(path: string): Promise<FileHandle> {
  await makeFolder(dirname(path), FOLDER_MODE);
  await rm(path, { force: true });
  return open(path, "wx", LOG_MODE);
}

async function writeAll(
  file: FileHandle,
  { bytes, place }: { readonly bytes: Buffer; readonly place: number },
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, place + done);
    done += bytesWritten;
  }
}

async function readAll(
  file: FileHandle,
  { place, length }: { readonly place: number; readonly length: number },
): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, place + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const BLOCK_BYTES = 256 * 1024;
const FIRST_BYTES = 4 * 1024;
/** Reused: dropped buffers stay in memory until garbage collection. */
const MAX_SPARE_BLOCKS = 17;

function createLogBlocks() {
  const blocks: { start: number; buffer: Buffer; length: number }[] = [];
  const spare: Buffer[] = [];
  let end = 0;

  /** The first block grows, because most outputs are small. */
  function makeRoom(): { start: number; buffer: Buffer; length: number } {
    const last = blocks.at(-1);
    if (last && last.length < last.buffer.length) return last;
    if (last && last.buffer.length < BLOCK_BYTES) {
      const larger = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, last.buffer.length * 4));
      last.buffer.copy(larger, 0, 0, last.length);
      last.buffer = larger;
      return last;
    }
    const size = end === 0 ? FIRST_BYTES : BLOCK_BYTES;
    const block = { start: end, buffer: spare.pop() ?? Buffer.allocUnsafeSlow(size), length: 0 };
    blocks.push(block);
    return block;
  }

  const view = ({ start, buffer, length }: { start: number; buffer: Buffer; length: number }) => ({
    start,
    bytes: buffer.subarray(0, length),
  });

  return {
    get end() {
      return end;
    },
    get waitingBytes() {
      return end - (blocks[0]?.start ?? end);
    },
    append(bytes: Uint8Array) {
      let rest = bytes;
      while (rest.length > 0) {
        const block = makeRoom();
        const part = rest.subarray(0, block.buffer.length - block.length);
        block.buffer.set(part, block.length);
        block.length += part.length;
        end += part.length;
        rest = rest.subarray(part.length);
      }
    },
    get full() {
      const first = blocks[0];
      return first?.length === BLOCK_BYTES ? view(first) : undefined;
    },
    get oldest() {
      const first = blocks[0];
      return first ? view(first) : undefined;
    },
    shift() {
      const block = blocks.shift();
      const isReusable = block?.buffer.length === BLOCK_BYTES && spare.length < MAX_SPARE_BLOCKS;
      if (block && isReusable) spare.push(block.buffer);
    },
    slice(from: number, to: number) {
      const parts = blocks.map((block) =>
        view(block).bytes.subarray(Math.max(0, from - block.start), Math.max(0, to - block.start)),
      );
      return Buffer.concat(parts);
    },
    clear() {
      blocks.length = 0;
      spare.length = 0;
    },
  };
}
