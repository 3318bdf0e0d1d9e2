// The four methods of a bridge over one folder of this machine. Nothing outside of the folder is
// read or changed, whatever links say and whoever moves them meanwhile.

import { types } from "node:util";
import {
  abortError,
  type FsBridge,
  type FsPath,
  type FsStat,
  ToolInputError,
} from "../../core/index.js";
import { writeAtomically } from "./atomic-write.js";
import { fileMissing, toFsError } from "./errors.js";
import { makeFolders } from "./make-folders.js";
import type { Pin, PinPath } from "./pin.js";
import { readPinned } from "./read-pinned.js";
import { createWithRoot, pinExisting, type Root, type Target } from "./root.js";
import { createOwnership } from "./temporary-owner.js";
import { pinWriteTarget } from "./write-target.js";

const MS_IN_NS = 1e6;

export interface ContainedBridgeOptions {
  /** Relative paths start here. */
  readonly base: string;
  /** Nothing outside of this folder is touched. */
  readonly container: string;
  /** Default: the best that this machine offers. */
  readonly pinPath?: PinPath;
}

export function createContainedBridge(options: ContainedBridgeOptions): FsBridge {
  const withRoot = createWithRoot(options, options.pinPath);
  const ownership = createOwnership();

  async function run<T>(
    path: FsPath,
    work: (root: Root, target: Target) => Promise<T>,
  ): Promise<T> {
    assertRequest(path);
    assertNotAborted(path.signal);
    try {
      return await withRoot(path, work);
    } catch (error) {
      assertNotAborted(path.signal);
      throw toFsError(error, path.filePath);
    }
  }

  return {
    stat: (path) =>
      run(path, async (root, target) => {
        const pin = await pinExisting(root, target);
        return pin ? useAndClose(pin, async () => toFsStat(pin)) : null;
      }),

    readFile: (path) =>
      run(path, async (root, target) => {
        const pin = await pinExisting(root, target);
        if (!pin) throw fileMissing(path.filePath);
        return useAndClose(pin, () => readPinned({ pin, path: path.filePath }));
      }),

    mkdirp: (path) =>
      run(path, async (root, target) => {
        const pin = await makeFolders(root, target);
        pin.close();
      }),

    writeFile: (request) =>
      run(request, async (root, target) => {
        const { filePath: path, data, signal } = request;
        assertData(data);
        const place = await pinWriteTarget(root, target);
        await useAndClose(place.folder, () =>
          writeAtomically({ ...place, data, path, signal, ownership }),
        );
      }),
  };
}

async function useAndClose<T>(pin: Pin, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    pin.close();
  }
}

function toFsStat({ stats }: Pin): FsStat {
  return {
    type: stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other",
    size: Number(stats.size),
    mtimeMs: Number(stats.mtimeNs) / MS_IN_NS,
  };
}

/** Bridges are called from plain JavaScript too. */
function assertRequest(request: unknown): void {
  if (typeof request === "object" && request !== null) return;
  throw new ToolInputError("A bridge is called with one object that has filePath.", {
    reason: "path_invalid",
  });
}

function assertData(data: unknown): void {
  if (typeof data === "string" || types.isUint8Array(data)) return;
  throw new ToolInputError("writeFile takes data that is text or a Buffer.", {
    reason: "data_invalid",
  });
}

function assertNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}
