// A pin holds one file or folder fast while it is judged and used. By descriptor (Linux with /proc)
// the judged inode is the used one, whatever happens to its name. By name (elsewhere) the name is
// judged and, after use has begun, judged again.
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { isDirectory, notRegularFile } from "../../core/files/index.js";
import { ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { type OpenFile, open, openNow, read, statOpen } from "./descriptor.js";
import { pathChanged } from "./errors.js";

/** Linux; Node does not export it. The file is located, not opened: a pipe does not block. */
const O_PATH = 0o10000000;
const DESCRIPTORS = "/proc/self/fd";

export interface Pin {
  /** A path that leads to this very inode; names are put behind it with "/". */
  readonly door: string;
  readonly realPath: string;
  readonly stats: BigIntStats;
  /** On a file system that answers at once: small steps are made in this thread. */
  readonly isLocal: boolean;
  statNow(): BigIntStats | undefined;
  currentPath(): string;
  /** Opens what is pinned, at once where it is near. Throws or rejects with the system's error. */
  open(flags: number): number | Promise<number>;
  /** Held by descriptor: what is opened is this inode. */
  readonly isHeld: boolean;
  /** After it was opened: was it this inode? A descriptor cannot have missed. */
  confirm(): Promise<boolean>;
  close(): void;
}

export type PinPath = (path: string) => Promise<Pin>;

export async function pinByDescriptor(path: string, localDevice?: bigint): Promise<Pin> {
  return holdDescriptor(await open(path, O_PATH), localDevice);
}

export function pinNow(path: string, localDevice: bigint): Pin {
  return holdDescriptor(openSync(path, O_PATH), localDevice);
}

function holdDescriptor(descriptor: number, localDevice: bigint | undefined): Pin {
  const stats = statOrClose(descriptor);
  const door = `${DESCRIPTORS}/${descriptor}`;
  const isLocal = stats.dev === localDevice;
  let realPath: string | undefined;
  let isOpen = true;
  return {
    door,
    // Asked of the kernel only when someone asks here: it is a tenth of a short read.
    get realPath() {
      realPath ??= readlinkSync(door);
      return realPath;
    },
    stats,
    isLocal,
    isHeld: true,
    statNow: () => (isLocal ? fstatSync(descriptor, { bigint: true }) : undefined),
    currentPath: () => readlinkSync(door),
    open: (flags) => (isLocal ? openNow(door, flags) : open(door, flags)),
    confirm: async () => true,
    close() {
      // A number that was closed may mean another file already.
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

/** At once: finding the file has just brought what is asked for. */
function statOrClose(descriptor: number): BigIntStats {
  try {
    return fstatSync(descriptor, { bigint: true });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

export async function pinByName(path: string): Promise<Pin> {
  const realPath = await realpath(path);
  const stats = await stat(realPath, { bigint: true });
  return {
    door: realPath,
    realPath,
    stats,
    isLocal: false,
    isHeld: false,
    statNow: () => undefined,
    currentPath: () => realPath,
    open: (flags) => open(realPath, flags),
    confirm: async () =>
      (await realpath(realPath)) === realPath &&
      isSameFile(await stat(realPath, { bigint: true }), stats),
    close: () => undefined,
  };
}

/** Asked just before a change: is the pinned folder still where it was judged? */
export async function isInPlace(pin: Pin): Promise<boolean> {
  return (await pin.confirm()) && pin.currentPath() === pin.realPath;
}

/** The better way, where the machine has it. */
export async function choosePinPath(): Promise<PinPath> {
  if (process.platform !== "linux") return pinByName;
  try {
    await access(DESCRIPTORS, constants.X_OK);
    return pinByDescriptor;
  } catch {
    // A Linux without /proc: descriptors cannot be asked where they lie.
    return pinByName;
  }
}

/** What the work gives; the pin is closed only when it fails. */
export async function closeOnError<T>(
  pin: Pick<Pin, "close">,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    pin.close();
    throw error;
  }
}

export function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

const MAX_FILE_BYTES = 1024 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const SPARE_BYTES = 64;

export interface PinnedFile {
  readonly pin: Pin;
  readonly path: string;
}

export function assertRegularFile({ pin, path }: PinnedFile): void {
  if (pin.stats.isFile()) return;
  throw pin.stats.isDirectory() ? isDirectory(path) : notRegularFile(path);
}

export async function readPinned(file: PinnedFile): Promise<Buffer> {
  const { pin, path } = file;
  assertRegularFile(file);
  const descriptor = await pin.open(constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { isLocal, isHeld } = pin;
    const stats = isHeld ? pin.stats : await statOpen({ descriptor, isLocal });
    if (!isSameFile(stats, pin.stats) || !(await pin.confirm())) throw pathChanged(path);
    // The size may have changed, so it is read to the end.
    return await readToEnd({ descriptor, isLocal, expectedBytes: Number(stats.size), path });
  } finally {
    closeSync(descriptor);
  }
}

interface FileToRead extends OpenFile {
  readonly expectedBytes: number;
  readonly path: string;
}

async function readToEnd({ expectedBytes, path, ...file }: FileToRead): Promise<Buffer> {
  if (expectedBytes > MAX_FILE_BYTES) throw fileTooLarge(path);
  const chunks: Buffer[] = [];
  let total = 0;
  // The expected size and a little more, so that a file that grew shows itself.
  let room = expectedBytes + SPARE_BYTES;
  for (;;) {
    const buffer = Buffer.allocUnsafeSlow(room);
    const bytesRead = await read(file, { into: buffer, from: 0, position: null });
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
    if (total > MAX_FILE_BYTES) throw fileTooLarge(path);
    const isWhole = bytesRead === 0 || (expectedBytes > 0 && total === expectedBytes);
    if (isWhole) return joinChunks(chunks);
    room = CHUNK_BYTES;
  }
}

function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}

function fileTooLarge(path: string): ToolError {
  return new ToolError(
    "limit",
    `"${toPrintable(path)}" is larger than ${MAX_FILE_BYTES} bytes, the most that is read at once; read a smaller file.`,
    { reason: "file_too_large", details: { maxBytes: MAX_FILE_BYTES } },
  );
}
