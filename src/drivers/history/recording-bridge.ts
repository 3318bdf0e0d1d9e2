// A bridge for one call that has what it changes written down first. It offers what the bridge behind
// it offers, and always `exclusive`: looking, writing down and changing are one turn at a file.

import {
  offerRealPlaces,
  offerWatchedWrite,
  type RealPlace,
  readAccess,
  realPlacesOf,
  toStat,
  type WatchedRequest,
  type WatchedWrite,
  type WriteWatch,
  watchedWriteOf,
  withFiles,
} from "../../core/files/index.js";
import type { FsBridge, FsPath } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import {
  ABSENT,
  type FileState,
  type StoredPaths,
  stateOf,
  toStoredPath,
  toStoredPlace,
} from "./file-state.js";
import type { Gate } from "./join-history.js";
import type { CallRecorder, Touch } from "./recorder/call-recorder.js";

const gone = async () => ABSENT;
const NO_WATCH: WriteWatch = { look: async () => undefined };
const UNKNOWN: FileState = { kind: "unkept", reason: "not_readable" };

export interface RecordingOptions extends StoredPaths {
  readonly bridge: FsBridge;
  readonly recorder: CallRecorder;
  readonly gate: Gate;
}

interface Turn {
  take<T>(paths: readonly FsPath[], work: (bridge: FsBridge) => Promise<T>): Promise<T>;
  current(): FsBridge;
}

export function createRecordingBridge(options: RecordingOptions): FsBridge {
  const { bridge } = options;
  return createMethods(options, {
    take: (paths, work) => withFiles(bridge, paths, work),
    current: () => bridge,
  });
}

function createMethods(options: RecordingOptions, turn: Turn): FsBridge {
  const { openFile, list, remove, removeFolder, rename } = options.bridge;
  const { take, current } = turn;
  const change = (paths: readonly FsPath[], make: (bridge: FsBridge) => Promise<void>) =>
    take(paths, (bridge) => whenBegun(options, () => make(bridge)));
  const writeWatched: WatchedWrite = (request, watch) =>
    recordWatched(options, { bridge: current(), request, watch, turn });
  const methods: FsBridge = {
    stat: async (path) => toStat(await current().stat(path), path.filePath),
    readFile: (path) => current().readFile(path),
    mkdirp: (path) => whenBegun(options, () => current().mkdirp(path)),
    writeFile: (request) =>
      watchedWriteOf(current())
        ? writeWatched(request, NO_WATCH).then(() => undefined)
        : change([request], (bridge) => recordWrite(options, { bridge, request })),
    exclusive: (paths, work) => take(paths, (lent) => lend(options, { lent, turn, work })),
    ...(openFile && {
      openFile: (path) => current().openFile?.(path) ?? openFile.call(options.bridge, path),
    }),
    ...(list && {
      list: (request) => current().list?.(request) ?? list.call(options.bridge, request),
    }),
    ...(remove && {
      remove: (path) => change([path], (bridge) => recordRemove(options, { bridge, path })),
    }),
    // Only files are remembered.
    ...(removeFolder && {
      removeFolder: (path) => whenBegun(options, async () => current().removeFolder?.(path)),
    }),
    ...(rename && {
      rename: (request) =>
        change([request, { ...request, filePath: request.to }], (bridge) =>
          recordRename(options, { bridge, request }),
        ),
    }),
  };
  if (realPlacesOf(current())) offerRealPlaces(methods, (path) => findReal(current(), path));
  return watchedWriteOf(current()) ? offerWatchedWrite(methods, writeWatched) : methods;
}

function whenBegun<T>({ gate }: RecordingOptions, work: () => Promise<T>): Promise<T> {
  return gate.pass()?.then(work) ?? work();
}

interface Loan<T> {
  readonly lent: FsBridge;
  readonly turn: Turn;
  readonly work: (bridge: FsBridge) => Promise<T>;
}

async function lend<T>(options: RecordingOptions, { lent, turn, work }: Loan<T>): Promise<T> {
  let isOver = false;
  const own: Turn = {
    take: (paths, inner) => (isOver ? turn.take(paths, inner) : inner(lent)),
    current: () => (isOver ? turn.current() : lent),
  };
  try {
    return await work(createMethods(options, own));
  } finally {
    isOver = true;
  }
}

interface Recorded<Request> {
  readonly bridge: FsBridge;
  readonly request: Request;
}

async function recordWrite(
  options: RecordingOptions,
  { bridge, request }: Recorded<FsPath & { data: string | Buffer }>,
): Promise<void> {
  const make = () => bridge.writeFile(request);
  const touch = toTouch(options, request);
  if (!touch) return make();
  await options.recorder.change({ bridge, touches: [touch], make });
}

interface RecordedWatch extends Recorded<WatchedRequest> {
  readonly watch: WriteWatch;
  readonly turn: Turn;
}

async function recordWatched(
  options: RecordingOptions,
  { bridge, request, watch, turn }: RecordedWatch,
): Promise<boolean> {
  const write = watchedWriteOf(bridge);
  if (!write) throw new TypeError("The bridge behind this one has lost its watched write.");
  const { meanwhile, missing } = watch;
  /** What is made before is a temporary file: no change, and its folder is noted. */
  const look: WriteWatch["look"] = async (old, realPath) => {
    await options.gate.pass();
    await watch.look(old, realPath);
  };
  let isWritten = false;
  const writeNew = (lent: FsBridge) =>
    whenBegun(options, async () => {
      isWritten = await recordWatched(options, { bridge: lent, request, watch, turn });
    });
  const others = {
    ...(meanwhile && { meanwhile }),
    ...(missing && { missing: (lent: FsBridge) => lend(options, { lent, turn, work: missing }) }),
    ...(!missing && !options.gate.isOpen() && { missing: writeNew }),
  };
  const touch = toTouch(options, request);
  if (!touch) return (await write(request, { ...watch, ...others, look })) || isWritten;
  await options.recorder.change({
    bridge,
    touches: [touch],
    make: () => bridge.writeFile(request),
    async makeWatched(recorder) {
      const isReplaced = await write(request, {
        ...others,
        judge: async (old) =>
          ((await watch.judge?.(old)) ?? true) && ((await recorder.judge?.(old)) ?? true),
        async look(old, realPath) {
          await recorder.look(old, realPath);
          await look(old, realPath);
        },
        async failed(lent) {
          await recorder.failed?.(lent);
          await watch.failed?.(lent);
        },
      });
      isWritten ||= isReplaced;
    },
  });
  return isWritten;
}

function toTouch(
  options: RecordingOptions,
  request: FsPath & { data: string | Buffer },
): Touch | undefined {
  const path = toStoredPath(request, options);
  const { data } = request;
  if (path === undefined || !(typeof data === "string" || Buffer.isBuffer(data))) return undefined;
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  return {
    ...{ at: toPlace(request), path, afterBytes: bytes.byteLength },
    after: lazy(() => stateOf(bytes)),
    afterAccess: readAccess(request),
  };
}

async function recordRemove(
  options: RecordingOptions,
  { bridge, path: request }: { readonly bridge: FsBridge; readonly path: FsPath },
): Promise<void> {
  const make = async () => bridge.remove?.(request);
  const path = toStoredPath(request, options);
  if (path === undefined) return make();
  const place = await findPlace(options, { bridge, path: request, of: "entry" });
  const touches = [{ at: toPlace(request), path, place, after: gone }];
  await options.recorder.change({ bridge, touches, make });
}

async function recordRename(
  options: RecordingOptions,
  { bridge, request }: Recorded<FsPath & { to: string }>,
): Promise<void> {
  const make = async () => bridge.rename?.(request);
  const target = { ...request, filePath: request.to };
  const from = toStoredPath(request, options);
  const to = toStoredPath(target, options);
  if (from === to) return make();
  const left = from !== undefined && {
    ...{ at: toPlace(request), path: from, after: gone },
    place: await findPlace(options, { bridge, path: request, of: "entry" }),
  };
  const come = to !== undefined && {
    ...{ at: toPlace(target), path: to },
    place: await findPlace(options, { bridge, path: target, of: "file" }),
    ...(from === undefined ? { after: async () => UNKNOWN } : { movedFrom: from }),
  };
  const touches: Touch[] = [left, come].filter((touch) => touch !== false);
  await options.recorder.change({ bridge, touches, make });
}

interface PlaceToFind {
  readonly bridge: FsBridge;
  readonly path: FsPath;
  readonly of: keyof RealPlace;
}

async function findPlace(
  options: RecordingOptions,
  { bridge, path, of }: PlaceToFind,
): Promise<string | undefined> {
  const found = await realPlacesOf(bridge)?.(toPlace(path)).catch(() => undefined);
  return found && toStoredPlace(found[of], options);
}

function findReal(bridge: FsBridge, path: FsPath): Promise<RealPlace> {
  const find = realPlacesOf(bridge);
  if (!find) throw new TypeError("The bridge behind this one has lost its real places.");
  return find(path);
}

function toPlace({ filePath, cwd, signal }: FsPath): FsPath {
  return { filePath, ...(cwd !== undefined && { cwd }), ...(signal && { signal }) };
}
