// The steps that make the changes of a patch, each with its rollback.

import {
  createFolderMaker,
  type FileAccess,
  readAccessOf,
  toBytes,
} from "../../core/files/index.js";
import { type FsBridge, type FsStat, ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { Changes, Removal, Write } from "./compute.js";
import type { PatchPlace } from "./working-files.js";

export interface Step {
  readonly path: string;
  readonly before: Buffer | undefined;
  /** As it was when the patch was computed; undefined when an earlier step has changed it. */
  readonly stat: FsStat | null | undefined;
  run(): Promise<void>;
  /** Without the signal of the call: a rollback is always completed. */
  revert(): Promise<void>;
  tidy(): Promise<void>;
}

/** New files first and removals last, so that nothing is lost in between. */
export function toSteps({ writes, removals }: Changes, place: PatchPlace): Step[] {
  const moves = writes.filter(({ from }) => from !== undefined);
  const plain = writes.filter(({ from }) => from === undefined);
  const toWriteStep = (write: Write) => createWriteStep(write, place);
  const fresh = plain.filter(({ before }) => before === undefined).map(toWriteStep);
  const replaced = plain.filter(({ before }) => before !== undefined).map(toWriteStep);
  return [
    // Without remove, what cannot be taken back comes last.
    ...(place.bridge.remove ? [...fresh, ...replaced] : [...replaced, ...fresh]),
    ...moves.flatMap((move) => createMoveSteps(move, place)),
    ...removals.map((removal) => createRemoveStep(removal, place)),
  ];
}

type Target = Pick<Write, "path" | "before" | "after"> & Pick<Step, "stat">;

function createWriteStep(target: Target, place: PatchPlace): Step {
  const { path, stat, before, after } = target;
  const folders = createFolderMaker(path, place);
  return {
    path,
    before,
    stat,
    async run() {
      if (!before) await folders.make();
      await place.bridge.writeFile({ ...at(path, place), data: after, signal: place.signal });
    },
    async revert() {
      await putBack(target, place);
      await folders.removeMade();
    },
    tidy: folders.removeMade,
  };
}

function createRemoveStep({ path, stat, before }: Removal, place: PatchPlace): Step {
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
  // The name first: a refused target costs nothing, and the rollback needs no space.
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
  let had: FileAccess = {};
  const goBack = async () => {
    await bridge.rename?.({ ...at(path, place), to: from.path });
    if (before) await putBack({ path, before, had }, place);
  };
  return {
    path,
    before,
    stat,
    async run() {
      if (!before) await folders.make();
      else had = await readAccessOf(bridge, at(path, place));
      await bridge.rename?.({ ...at(from.path, place), to: path, signal });
      if (await isStill(path, { from, place })) return;
      await goBack();
      throw leadsElsewhere(from.path, path);
    },
    async revert() {
      await goBack();
      await folders.removeMade();
    },
    tidy: folders.removeMade,
  };
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

function leadsElsewhere(from: string, to: string): ToolError {
  return new ToolError(
    "conflict",
    `"${toPrintable(from)}" is a symlink that would lead elsewhere from "${toPrintable(to)}", or it changed meanwhile; move the file that it leads to.`,
    { reason: "path_changed" },
  );
}

interface ToPutBack extends Pick<Step, "path" | "before"> {
  /** Of a file that was removed; one that is still there keeps its own. */
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
