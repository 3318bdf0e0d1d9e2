// A pin holds one file or folder fast while it is judged and used. By descriptor (Linux with /proc)
// the judged inode is the used one, whatever happens to its name. By name (elsewhere) the name is
// judged and, after use has begun, judged again.

import { type BigIntStats, closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { open, openNow } from "./operations/descriptor.js";

/** Linux; Node does not export it. The file is located, not opened: a pipe does not block. */
const O_PATH = 0o10000000;
const DESCRIPTORS = "/proc/self/fd";

export interface Pin {
  /** A path that leads to this very inode; names are put behind it with "/". */
  readonly door: string;
  /** Where it lay when this was first asked, all links followed. */
  readonly realPath: string;
  readonly stats: BigIntStats;
  /** On a file system that answers at once: small steps are made in this thread. */
  readonly isNear: boolean;
  /** As it is now; undefined where that cannot be asked without touching the disk. */
  statNow(): BigIntStats | undefined;
  /** Where it lies now, as far as that can be asked for. */
  currentPath(): string;
  /**
   * Opens what is pinned: at once by descriptor, because the kernel has the inode in hand and asking
   * takes less than waiting for another thread. Throws or rejects with the system's error.
   */
  open(flags: number): number | Promise<number>;
  /** After it was opened: was it this inode? A descriptor cannot have missed. */
  confirm(): Promise<boolean>;
  close(): void;
}

/** Follows links. Rejects with the system's error. */
export type PinPath = (path: string) => Promise<Pin>;

export async function pinByDescriptor(path: string): Promise<Pin> {
  return holdDescriptor(await open(path, O_PATH));
}

/** The same at once. What lies on `nearDevice` is near. */
export function pinNow(path: string, nearDevice: bigint): Pin {
  return holdDescriptor(openSync(path, O_PATH), nearDevice);
}

function holdDescriptor(descriptor: number, nearDevice?: bigint): Pin {
  const door = `${DESCRIPTORS}/${descriptor}`;
  let realPath: string | undefined;
  let isOpen = true;
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    return {
      door,
      // Asked of the kernel only when somebody asks here: it is a tenth of a short read.
      get realPath() {
        realPath ??= readlinkSync(door);
        return realPath;
      },
      stats,
      isNear: stats.dev === nearDevice,
      statNow: () => fstatSync(descriptor, { bigint: true }),
      currentPath: () => readlinkSync(door),
      open: (flags) => openNow(door, flags),
      confirm: async () => true,
      close() {
        // A number that was closed may mean another file already.
        if (isOpen) closeSync(descriptor);
        isOpen = false;
      },
    };
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
    isNear: false,
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

export function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
