// `createMemoryBridge`: a bridge with every method and no disk. The same mistakes get the same errors
// as with the bridge over a folder. It has no links, no permissions and no other processes.

import {
  assertData,
  assertFolderText,
  assertListLimit,
  assertPathText,
  assertRequest,
  awaitTurn,
  createNameFinder,
  createTurnQueue,
  fileClosed,
  lendBridge,
  outsideRoot,
  PROTECTED_NAMES,
  pathProtected,
  type TurnMode,
  toPlainPath,
  type WholeBridge,
} from "../../core/files/index.js";
import { abortError, type FsFile, type FsPath } from "../../core/index.js";
import { createMemoryTree, type MemoryTree, type Spot } from "./memory-tree.js";

const FOLDER_FORM = /(?:^|\/)\.{0,2}$/;

export interface MemoryBridgeOptions {
  /**
   * What contains everything, and where relative paths begin. Default: the first `cwd` of a call,
   * which for tools is their `root`; `/` when `files` has an absolute path.
   */
  readonly root?: string;
  /** Names that are not changed, at any depth. Default: those of the bridge over a folder. */
  readonly protect?: readonly string[];
}

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Wish {
  readonly requests: readonly FsPath[];
  readonly mode: TurnMode;
}

type InTurn = <T>(wish: Wish, work: () => T | Promise<T>) => Promise<T>;

interface Parts {
  readonly tree: MemoryTree;
  findProtected(way: string): string | undefined;
  locate(request: FsPath): Spot;
  readonly inTurn: InTurn;
}

/** `files` maps paths, relative to the root or absolute, to their content. */
export function createMemoryBridge(
  files: Files = {},
  options: MemoryBridgeOptions = {},
): WholeBridge {
  const findProtected = createNameFinder(options.protect ?? PROTECTED_NAMES);
  const tree = createMemoryTree();
  const locate = createLocate(files, options);
  for (const [filePath, content] of Object.entries(files)) {
    assertData(content);
    tree.write(locate({ filePath }), Buffer.from(content));
  }
  const parts: Parts = { tree, findProtected, locate, inTurn: createInTurn(locate) };
  const held = createMethods({ ...parts, inTurn: async (_wish, work) => work() });
  const bridge: WholeBridge = {
    ...createMethods(parts),
    exclusive: (paths, work) =>
      parts.inTurn({ requests: paths, mode: "alone" }, () => lendBridge({ held, bridge }, work)),
  };
  return bridge;
}

function createMethods({
  tree,
  findProtected,
  locate,
  inTurn,
}: Parts): Omit<WholeBridge, "exclusive"> {
  const reading = <T>(request: FsPath, work: (spot: Spot) => T) =>
    inTurn({ requests: [request], mode: "shared" }, () => work(locate(request)));
  const changing = <T>(requests: readonly FsPath[], work: (spots: Spot[]) => T) =>
    inTurn({ requests, mode: "alone" }, () => {
      const spots = requests.map(locate);
      for (const { way, path } of spots) {
        const name = findProtected(way);
        if (name !== undefined) throw pathProtected(path, name);
      }
      return work(spots);
    });
  return {
    stat: async (request) => reading(request, tree.stat),
    readFile: async (request) => reading(request, (spot) => Buffer.from(tree.read(spot).data)),
    openFile: async (request) =>
      reading(request, (spot) => openFile({ tree, spot, signal: request.signal })),
    list: async (request) => {
      assertRequest(request);
      assertListLimit(request.limit);
      return reading(request, (spot) => tree.list(spot, request.limit));
    },
    mkdirp: async (request) => changing([request], ([spot]) => spot && tree.makeFolder(spot)),
    writeFile: async (request) => {
      assertRequest(request);
      assertData(request.data);
      const data = Buffer.from(request.data);
      return changing([request], ([spot]) => spot && tree.write(spot, data));
    },
    remove: async (request) => changing([request], ([spot]) => spot && tree.remove(spot)),
    removeFolder: async (request) =>
      changing([request], ([spot]) => spot && tree.removeFolder(spot)),
    rename: async (request) => {
      assertRequest(request);
      return changing(
        [request, { ...request, filePath: request.to }],
        ([from, to]) => from && to && tree.rename(from, to),
      );
    },
  };
}

function createInTurn(locate: Parts["locate"]): InTurn {
  const queue = createTurnQueue();
  return async ({ requests, mode }, work) => {
    for (const request of requests) assertRequest(request);
    const signals = requests.map(({ signal }) => signal);
    for (const signal of signals) if (signal?.aborted) throw abortError(signal);
    const turn = queue.take(
      requests.map((request) => locate(request).way),
      mode,
    );
    try {
      await awaitTurn(turn, signals);
      return await work();
    } finally {
      turn.leave();
    }
  };
}

function createLocate(files: Files, options: MemoryBridgeOptions): Parts["locate"] {
  const isAbsolute = (path: string | undefined) => path?.startsWith("/") === true;
  const hasAbsolute = Object.keys(files).some(isAbsolute);
  let root = options.root ?? (hasAbsolute ? "/" : undefined);
  return (request) => {
    const { filePath, cwd } = request;
    assertPathText(filePath);
    if (cwd !== undefined) assertFolderText(cwd);
    if (root === undefined && isAbsolute(cwd)) root = cwd;
    if (root === undefined && isAbsolute(filePath)) root = "/";
    const base = root ?? "/";
    // As with the folder bridge: from the root on, unless it is the root's own name.
    const start = cwd === undefined || cwd === base ? base : toPlainPath(cwd, base);
    const way = wayBelow(toPlainPath(base), toPlainPath(filePath, start));
    if (way === undefined) throw outsideRoot(filePath);
    return { way, namesFolder: FOLDER_FORM.test(filePath), path: filePath };
  };
}

function wayBelow(root: string, path: string): string | undefined {
  if (path === root) return "";
  const prefix = root === "/" ? root : `${root}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

interface FileToOpen {
  readonly tree: MemoryTree;
  readonly spot: Spot;
  readonly signal: AbortSignal | undefined;
}

function openFile({ tree, spot, signal }: FileToOpen): FsFile {
  const { data, mtimeMs } = tree.read(spot);
  let isClosed = false;
  return {
    stat: { type: "file", size: data.length, mtimeMs },
    async read(into, position) {
      if (isClosed) throw fileClosed(spot.path);
      if (signal?.aborted) throw abortError(signal);
      const part = data.subarray(position, position + into.byteLength);
      into.set(part);
      return part.length;
    },
    async close() {
      isClosed = true;
    },
  };
}
