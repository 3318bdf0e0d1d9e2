// A bridge over one folder of this machine. Nothing outside of the folder is read or changed,
// whatever links say and anyone who moves them meanwhile; calls for one file run one after the other.

import { resolve } from "node:path";
import {
  assertFolderText,
  assertPathText,
  assertRequest,
  lendBridge,
  offerRealPlaces,
  offerWatchedWrite,
  type WatchedWrite,
  type WholeBridge,
} from "../../core/files/index.js";
import { abortError, type FsBridge, type FsFile, type FsPath } from "../../core/index.js";
import { type PathStart, startOf } from "./contained-path.js";
import { toFsError } from "./errors.js";
import {
  createRemove,
  createRemoveFolder,
  createRename,
  createWatchedWrite,
  createWriteFile,
  MKDIRP,
} from "./operations/change.js";
import { findPlaces, NOWHERE, type Operation, REAL_PLACE } from "./operations/operation.js";
import { LIST, OPEN_FILE, READ_FILE, STAT } from "./operations/read.js";
import { createWithRoot, type Passed, type Root, type RootOptions, type WithRoot } from "./root.js";
import { createTidier } from "./temporaries/remove-temporaries.js";
import { createOwnership } from "./temporaries/temporary-owner.js";
import { createSlots, createTurns, type Found, NO_TURNS, type Slots, type Turns } from "./turns.js";

/** Together well below 256, which is the least that systems give a process. */
export const MAX_OPERATIONS = 24;
export const MAX_OPEN_FILES = 48;
export const MAX_OPERATION_WAIT_MS = 10_000;
/** Shorter, because who waits may have another file open that it would have to close first. */
export const MAX_OPEN_WAIT_MS = 1_000;
/** For the whole process, as its descriptors are. */
const OPERATIONS: Slots = createSlots(MAX_OPERATIONS);
const OPEN_FILES: Slots = createSlots(MAX_OPEN_FILES);

export interface ContainedBridgeOptions extends RootOptions {
  readonly maxWaitMs?: number;
}

type PlainMethods = Omit<WholeBridge, "exclusive">;

interface Parts {
  readonly start: PathStart;
  readonly withRoot: WithRoot;
  readonly turns: Turns;
  readonly passed?: Passed;
}

export function createContainedBridge(options: ContainedBridgeOptions): WholeBridge {
  const ownership = createOwnership();
  const traces = { ownership, tidier: createTidier(ownership) };
  const writeFile = createWriteFile(traces);
  const remove = createRemove(traces);
  const removeFolder = createRemoveFolder(traces);
  const rename = createRename(traces);
  const parts: Parts = {
    start: options,
    withRoot: createWithRoot(options),
    turns: createTurns(options.maxWaitMs),
  };
  const createMethods = (own: Parts): PlainMethods => ({
    stat: (request) => perform(own, { operation: STAT, request }),
    readFile: (request) => perform(own, { operation: READ_FILE, request }),
    openFile: (request) =>
      openInRoom(request?.signal, (before) =>
        perform(own, { operation: OPEN_FILE, request, before }),
      ),
    list: (request) => perform(own, { operation: LIST, request }),
    mkdirp: (request) => perform(own, { operation: MKDIRP, request }),
    writeFile: (request) => perform(own, { operation: writeFile, request }),
    remove: (request) => perform(own, { operation: remove, request }),
    removeFolder: (request) => perform(own, { operation: removeFolder, request }),
    rename: (request) => perform(own, { operation: rename, request }),
  });
  const createWatched =
    (own: Parts): WatchedWrite =>
    (request, watch) => {
      const gone = new Set<string>();
      const passed = own.passed ?? gone;
      const lend = (work: (bridge: FsBridge) => Promise<void>) =>
        lendBridge({ held: createHeld(passed), bridge }, work);
      const operation = createWatchedWrite(traces, { watch, gone, lend });
      return perform({ ...own, passed }, { operation, request });
    };
  const offerAll = <Bridge extends PlainMethods>(methods: Bridge, own: Parts) => {
    offerRealPlaces(methods, (request) => perform(own, { operation: REAL_PLACE, request }));
    return offerWatchedWrite(methods, createWatched(own));
  };
  const createHeld = (passed: Passed) => {
    const holding: Parts = { ...parts, turns: NO_TURNS, passed };
    return offerAll(createMethods(holding), holding);
  };
  const bridge: WholeBridge = {
    ...createMethods(parts),
    exclusive: (paths, work) =>
      runExclusively(parts, {
        paths,
        work: (passed) => lendBridge({ held: createHeld(passed), bridge }, work),
      }),
  };
  return offerAll(bridge, parts);
}

interface Call<R extends FsPath, F extends Found, T> {
  readonly operation: Operation<R, F, T>;
  readonly request: R;
  readonly before?: () => Promise<void>;
}

async function perform<R extends FsPath, F extends Found, T>(
  { start, withRoot, turns, passed }: Parts,
  { operation, request, before }: Call<R, F, T>,
): Promise<T> {
  assertRequest(request);
  const { filePath: path, cwd, signal } = request;
  assertNotAborted([signal]);
  operation.check?.(request);
  const wish = { mode: operation.mode, path, signals: [signal] };
  const named = [path, ...(operation.namesToo?.(request) ?? [])];
  const texts = named.map((filePath) =>
    toText(start, { filePath, ...(cwd !== undefined && { cwd }) }),
  );
  const find = async () => {
    if (before) await before();
    return findInRoom(wish.signals, () =>
      withRoot((root) => operation.find(root, request), passed),
    );
  };
  try {
    return await turns.byText({ ...wish, texts }, () =>
      turns.byPlace({ ...wish, find }, (found) => operation.use(found, request)),
    );
  } catch (error) {
    assertNotAborted([signal]);
    throw toFsError(error, path);
  }
}

interface ExclusiveCall<T> {
  readonly paths: readonly FsPath[];
  readonly work: (passed: Passed) => Promise<T>;
}

async function runExclusively<T>(
  { start, withRoot, turns }: Parts,
  { paths, work }: ExclusiveCall<T>,
): Promise<T> {
  for (const path of paths) assertRequest(path);
  const signals = paths.map(({ signal }) => signal);
  assertNotAborted(signals);
  const texts = paths.map((path) => toText(start, path));
  const path = paths[0]?.filePath ?? "";
  const passed = new Set<string>();
  const wish = { mode: "alone", path, signals } as const;
  const find = async () => {
    const found = await findInRoom(signals, async () => {
      const look = (root: Root) => findPlaces(root, paths, passed);
      const places = await withRoot(look).catch((error: unknown) => {
        throw toFsError(error, path);
      });
      return { ...NOWHERE, places };
    });
    found.close();
    return found;
  };
  return turns.byText({ ...wish, texts }, () =>
    turns.byPlace({ ...wish, find }, () => work(passed)),
  );
}

function toText(start: PathStart, { filePath, cwd }: FsPath): string {
  assertPathText(filePath);
  if (cwd !== undefined) assertFolderText(cwd);
  return resolve(startOf(cwd, start), filePath);
}

function assertNotAborted(signals: readonly (AbortSignal | undefined)[]): void {
  for (const signal of signals) if (signal?.aborted) throw abortError(signal);
}

type Signals = readonly (AbortSignal | undefined)[];

async function findInRoom<F extends Found>(signals: Signals, find: () => Promise<F>): Promise<F> {
  const taken = OPERATIONS.take({ signals, maxWaitMs: MAX_OPERATION_WAIT_MS });
  const leave = taken instanceof Promise ? await taken : taken;
  try {
    const found = await find();
    const close = () => {
      found.close();
      leave();
    };
    return { ...found, close };
  } catch (error) {
    leave();
    throw error;
  }
}

async function openInRoom(
  signal: AbortSignal | undefined,
  open: (awaitRoom: () => Promise<void>) => Promise<FsFile>,
): Promise<FsFile> {
  let leave: (() => void) | undefined;
  try {
    const file = await open(async () => {
      leave ??= await OPEN_FILES.take({ signals: [signal], maxWaitMs: MAX_OPEN_WAIT_MS });
    });
    return {
      ...file,
      close: () => file.close().finally(() => leave?.()),
    };
  } catch (error) {
    leave?.();
    throw error;
  }
}
