// The single steps by which changes are made, each with the way back.

import {
  createFolderMaker,
  type FileAccess,
  foldersOf,
  readAccessOf,
  toBytes,
  toPlainPath,
} from "../../core/files/index.js";
import {
  type FsBridge,
  type FsPath,
  type FsStat,
  isToolError,
  ToolError,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { Changes, Removal, Write } from "./compute.js";
import type { PatchPlace } from "./working-files.js";

export interface Step {
  readonly path: string;
  /** What is there before the step. */
  readonly before: Buffer | undefined;
  /** As it was when the patch was computed; undefined when a step before has changed it. */
  readonly stat: FsStat | null | undefined;
  run(): Promise<void>;
  /** Without the signal of the call: a way back is gone to its end. */
  revert(): Promise<void>;
  /** Removes the folders that the step made, if nothing is in them. Never throws. */
  tidy(): Promise<void>;
}

/**
 * New files first and removals last, so that nothing is lost in between; but a file in whose place a
 * folder comes has to go before.
 */
export function toSteps(changes: Changes, place: PatchPlace): Step[] {
  const { early, writes, removals } = clearTheWay(changes, place);
  const cleared = early.map((removal) => createRemoveStep(removal, place));
  const moves = writes.filter(({ from }) => from !== undefined);
  const plain = writes.filter(({ from }) => from === undefined);
  const toWriteStep = (write: ClearedWrite) => {
    const source = cleared.find(({ path }) => path === write.clearedFrom);
    return createWriteStep(write, { ...place, accessOfNew: source?.had });
  };
  const fresh = plain.filter(({ before }) => before === undefined).map(toWriteStep);
  const replaced = plain.filter(({ before }) => before !== undefined).map(toWriteStep);
  return [
    ...cleared,
    // What cannot be removed again is made when all the rest has worked.
    ...(place.bridge.remove ? [...fresh, ...replaced] : [...replaced, ...fresh]),
    ...moves.flatMap((move) => createMoveSteps(move, place)),
    ...removals.map((removal) => createRemoveStep(removal, place)),
  ];
}

/** With where the file was before it had to go, to make place for a folder of its name. */
type ClearedWrite = Write & { readonly clearedFrom?: string };

interface Cleared extends Pick<Changes, "removals"> {
  readonly early: readonly Removal[];
  readonly writes: readonly ClearedWrite[];
}

/** What of the changes comes first. A file that moves in under its own old name is rewritten. */
function clearTheWay({ writes, removals }: Changes, { root }: PatchPlace): Cleared {
  const folders = new Set(writes.flatMap(({ path }) => foldersOf(toPlainPath(path, root))));
  const isInTheWay = (path: string) => folders.has(toPlainPath(path, root));
  const early = removals.filter(({ path }) => isInTheWay(path));
  const rest: ClearedWrite[] = [];
  for (const write of writes) {
    const { from } = write;
    const isMoved = from !== undefined && isInTheWay(from.path);
    if (isMoved) early.push({ path: from.path, stat: from.stat, before: from.bytes });
    rest.push(isMoved ? { ...write, from: undefined, clearedFrom: from.path } : write);
  }
  return { early, writes: rest, removals: removals.filter(({ path }) => !isInTheWay(path)) };
}

type Target = Pick<Write, "path" | "before" | "after"> & Pick<Step, "stat">;

interface WritePlace extends PatchPlace {
  /** To be asked when the step runs. */
  readonly accessOfNew?: (() => FileAccess) | undefined;
}

function createWriteStep(target: Target, place: WritePlace): Step {
  const { path, stat, before, after } = target;
  const folders = createFolderMaker(path, place);
  return {
    path,
    before,
    stat,
    async run() {
      if (!before) await folders.make();
      const access = before ? {} : place.accessOfNew?.();
      const { signal } = place;
      await place.bridge.writeFile({ ...at(path, place), ...access, data: after, signal });
    },
    async revert() {
      await putBack(target, place);
      await folders.removeMade();
    },
    tidy: folders.removeMade,
  };
}

/** `had`: what the file had, once the step has run. */
function createRemoveStep(removal: Removal, place: PatchPlace): Step & { had(): FileAccess } {
  const { path, stat, before } = removal;
  let had: FileAccess = {};
  return {
    path,
    before,
    stat,
    async run() {
      had = await readAccessOf(place.bridge, at(path, place));
      await removeFile({ ...at(path, place), signal: place.signal }, place.bridge);
    },
    revert: () => putBack({ path, before, had }, place),
    tidy: async () => undefined,
    had: () => had,
  };
}

function createMoveSteps(move: Write, place: PatchPlace): Step[] {
  const { from, after } = move;
  if (!from) return [createWriteStep(move, place)];
  if (!place.bridge.rename) {
    const source = { path: from.path, stat: from.stat, before: from.bytes };
    return [createWriteStep(move, place), createRemoveStep(source, place)];
  }
  const renaming = createRenameStep(from, { target: move, place });
  if (after.equals(from.bytes)) return [renaming];
  // The name first: a place that is refused costs nothing, and the way back needs no space.
  const change = { path: move.path, before: from.bytes, after, stat: undefined };
  return [renaming, createWriteStep(change, place)];
}

type Source = NonNullable<Write["from"]>;

function createRenameStep(
  from: Source,
  { target, place }: { target: Target; place: PatchPlace },
): Step {
  const { path, stat, before } = target;
  const { bridge, signal } = place;
  const folders = createFolderMaker(path, place);
  const goBack = async () => bridge.rename?.({ ...at(path, place), to: from.path });
  let copied: FileAccess | undefined;
  let had: FileAccess = {};
  return {
    path,
    before,
    stat,
    async run() {
      if (!before) await folders.make();
      else had = await readAccessOf(bridge, at(path, place));
      if (await isRenamed(bridge, { ...at(from.path, place), to: path, signal })) {
        if (await isStill(path, { from, place })) return;
        // A link leads elsewhere from another folder: what it led to is put there instead.
        await goBack();
      }
      copied = await readAccessOf(bridge, at(from.path, place));
      await bridge.writeFile({ ...at(path, place), ...copied, data: from.bytes, signal });
      await removeFile({ ...at(from.path, place), signal }, bridge);
    },
    async revert() {
      if (copied) {
        if ((await bridge.stat(at(path, place))) !== null)
          await removeFile(at(path, place), bridge);
        // It was copied, and may not have been removed yet.
        if ((await bridge.stat(at(from.path, place))) === null)
          await bridge.writeFile({ ...at(from.path, place), ...copied, data: from.bytes });
      } else await goBack();
      if (before) await putBack({ path, before, had }, place);
      await folders.removeMade();
    },
    tidy: folders.removeMade,
  };
}

/** False when the two names lie on different file systems: then only a copy can be moved. */
async function isRenamed(bridge: FsBridge, request: FsPath & { to: string }): Promise<boolean> {
  try {
    await bridge.rename?.(request);
    return true;
  } catch (error) {
    if (isToolError(error) && error.reason === "exdev") return false;
    throw error;
  }
}

/** Whether a file that was moved is what it was; bridges may or may not keep its time. */
async function isStill(
  path: string,
  { from, place }: { from: Source; place: PatchPlace },
): Promise<boolean> {
  const now = await place.bridge.stat(at(path, place));
  if (now?.type !== "file" || now.size !== from.bytes.length) return false;
  if (now.mtimeMs === from.stat?.mtimeMs) return true;
  return from.bytes.equals(toBytes(await place.bridge.readFile(at(path, place)), path));
}

interface ToPutBack extends Pick<Step, "path" | "before"> {
  /** Of a file that was taken away; one that is there still keeps its own. */
  readonly had?: FileAccess;
}

async function putBack({ path, before, had }: ToPutBack, place: PatchPlace): Promise<void> {
  if (before) await place.bridge.writeFile({ ...at(path, place), ...had, data: before });
  else await removeFile(at(path, place), place.bridge);
}

async function removeFile(
  path: { filePath: string; cwd: string; signal?: AbortSignal },
  bridge: FsBridge,
): Promise<void> {
  if (bridge.remove) return bridge.remove(path);
  const message = `The bridge has no remove, so "${toPrintable(path.filePath)}" stays.`;
  throw new ToolError("unavailable", message, { reason: "remove_unavailable" });
}

function at(filePath: string, { root }: PatchPlace): { filePath: string; cwd: string } {
  return { filePath, cwd: root };
}
