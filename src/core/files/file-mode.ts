// Permission bits beside the port: a bridge over a disk tells and takes them, so that what undo makes
// again is open to nobody to whom it was closed before. Tools ask only to move a file by a copy.

import type { FsBridge, FsFile, FsPath } from "../ports/fs-bridge.js";

const ALL_BITS = 0o777;

/** What such a bridge takes beyond the port: the bits of the file that it makes. */
export type WriteWithMode = FsPath & { data: string | Buffer; mode?: number | undefined };

/** What such a bridge gives for `openFile`. */
export interface FileWithMode extends FsFile {
  readonly mode: number;
}

/** Of an opened file, or of a write; undefined where nothing is told. */
export function readMode(from: object): number | undefined {
  const mode: unknown = Reflect.get(from, "mode");
  return isMode(mode) ? mode : undefined;
}

export function isMode(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= ALL_BITS;
}

/** The bits of a file as a part of a write; nothing where the bridge does not tell them. */
export async function readModePart(bridge: FsBridge, path: FsPath): Promise<{ mode?: number }> {
  const file = await bridge.openFile?.(path);
  if (!file) return {};
  try {
    const mode = readMode(file);
    return mode === undefined ? {} : { mode };
  } finally {
    await file.close();
  }
}
