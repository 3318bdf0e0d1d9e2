// Bridges that forward every call to another one, and a bridge lent to work that has its turn.

import { readField } from "../../lib/read-field.js";
import type { FsBridge, FsFile, FsPath } from "../ports/fs-bridge.js";

const ALL_BITS = 0o777;
const MAX_ID = 0xffff_fffe;
const WATCHED_WRITES = new WeakMap<object, WatchedWrite>();

export interface FileAccess {
  readonly mode?: number;
  readonly owner?: FileOwner;
}

interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

export type WriteWithAccess = FsPath & { data: string | Buffer } & FileAccess;

export type FileWithAccess = FsFile & Required<FileAccess>;

/** The file that is about to be replaced; good until the look is over. */
export interface OldFile extends Required<FileAccess> {
  readonly size: number;
  read(): Promise<Buffer>;
  /** Rejects with the system's error when the folder does not exist. */
  linkTo(path: string): Promise<"linked" | "taken" | "refused">;
}

export interface WriteWatch {
  /** In the turn of the file, before anything is made; when it says no, nothing is. */
  judge?(old: OldFile | undefined): Promise<boolean>;
  /** While the new content goes to the disk. */
  look(old: OldFile | undefined, realPath: string): Promise<void>;
  /** While the change, which is made by now, goes to the disk. */
  meanwhile?(): void;
  /** When nothing is there: done instead of the write. */
  missing?(bridge: FsBridge): Promise<void>;
  /** When the write has failed, before anybody else has a turn. Never throws. */
  failed?(bridge: FsBridge): Promise<void>;
}

export type WatchedRequest = FsPath & { data: string | Buffer };

export type WatchedWrite = (request: WatchedRequest, watch: WriteWatch) => Promise<boolean>;

const FINDERS = new WeakMap<object, FindRealPlace>();

export interface RealPlace {
  /** Of the name itself, which `remove` and `rename` take away: a link there is not followed. */
  readonly entry: string;
  readonly file: string;
}

export type FindRealPlace = (path: FsPath) => Promise<RealPlace>;

export type WholeBridge = Required<FsBridge>;

export function forwardBridge(
  choose: () => WholeBridge | Promise<WholeBridge>,
  { isWatched }: { readonly isWatched: boolean },
): WholeBridge {
  const bridge: WholeBridge = {
    stat: async (path) => (await choose()).stat(path),
    readFile: async (path) => (await choose()).readFile(path),
    mkdirp: async (path) => (await choose()).mkdirp(path),
    writeFile: async (request) => (await choose()).writeFile(request),
    openFile: async (path) => (await choose()).openFile(path),
    list: async (request) => (await choose()).list(request),
    remove: async (path) => (await choose()).remove(path),
    removeFolder: async (path) => (await choose()).removeFolder(path),
    rename: async (request) => (await choose()).rename(request),
    exclusive: async (paths, work) => (await choose()).exclusive(paths, work),
  };
  if (!isWatched) return bridge;
  offerRealPlaces(bridge, async (path) => {
    const find = realPlacesOf(await choose());
    if (!find) throw new TypeError("The bridge behind this one has lost its real places.");
    return find(path);
  });
  return offerWatchedWrite(bridge, async (request, watch) => {
    const write = watchedWriteOf(await choose());
    if (!write) throw new TypeError("The bridge behind this one has lost its watched write.");
    return write(request, watch);
  });
}

export interface LentBridges {
  readonly held: Omit<WholeBridge, "exclusive">;
  readonly bridge: WholeBridge;
}

export async function lendBridge<T>(
  { held, bridge }: LentBridges,
  work: (bridge: FsBridge) => Promise<T>,
): Promise<T> {
  let isOver = false;
  const whole: WholeBridge = { ...held, exclusive: async (_paths, inner) => inner(own) };
  const [now, later] = [watchedWriteOf(held), watchedWriteOf(bridge)];
  if (now) offerWatchedWrite(whole, now);
  const find = realPlacesOf(held);
  if (find) offerRealPlaces(whole, find);
  const isWatched = now !== undefined && later !== undefined;
  const own = forwardBridge(() => (isOver ? bridge : whole), { isWatched });
  try {
    return await work(own);
  } finally {
    isOver = true;
  }
}

export function offerRealPlaces<Bridge extends object>(
  bridge: Bridge,
  find: FindRealPlace,
): Bridge {
  FINDERS.set(bridge, find);
  return bridge;
}

export function realPlacesOf(bridge: Partial<FsBridge>): FindRealPlace | undefined {
  return FINDERS.get(bridge);
}

export function offerWatchedWrite<Bridge extends FsBridge>(
  bridge: Bridge,
  write: WatchedWrite,
): Bridge {
  WATCHED_WRITES.set(bridge, write);
  return bridge;
}

export function watchedWriteOf(bridge: FsBridge): WatchedWrite | undefined {
  return WATCHED_WRITES.get(bridge);
}

export function readAccess(from: unknown): FileAccess {
  const mode = readField(from, "mode");
  const owner = readOwner(readField(from, "owner"));
  return { ...(isWithin(mode, ALL_BITS) && { mode }), ...(owner && { owner }) };
}

export async function readAccessOf(bridge: FsBridge, path: FsPath): Promise<FileAccess> {
  const file = await bridge.openFile?.(path);
  if (!file) return {};
  try {
    return readAccess(file);
  } finally {
    await file.close();
  }
}

export function isSameAccess(one: FileAccess, other: FileAccess): boolean {
  const [mine, theirs] = [one.owner, other.owner];
  return one.mode === other.mode && mine?.uid === theirs?.uid && mine?.gid === theirs?.gid;
}

function readOwner(owner: unknown): FileOwner | undefined {
  const [uid, gid] = [readField(owner, "uid"), readField(owner, "gid")];
  return isWithin(uid, MAX_ID) && isWithin(gid, MAX_ID) ? { uid, gid } : undefined;
}

function isWithin(value: unknown, max: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;
}
