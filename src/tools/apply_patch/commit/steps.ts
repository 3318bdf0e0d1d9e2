// The single steps by which changes are made, each with the way back.

import { type FsBridge, type FsStat, ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Changes, Removal, Write } from "../plan/changes.js";
import type { PatchPlace } from "../plan/working-files.js";

export interface Step {
  readonly path: string;
  /** What stands there before the step. */
  readonly before: Buffer | undefined;
  /** As it was when the patch was computed; undefined when a step before has changed it. */
  readonly stat: FsStat | null | undefined;
  run(): Promise<void>;
  /** Without the signal of the call: a way back is gone to its end. */
  revert(): Promise<void>;
}

/** New files first and removals last, so that nothing is lost in between. */
export function toSteps(changes: Changes, place: PatchPlace): Step[] {
  const moves = changes.writes.filter(({ from }) => from !== undefined);
  const plain = changes.writes.filter(({ from }) => from === undefined);
  const toWriteStep = (write: Target) => createWriteStep(write, place);
  const fresh = plain.filter(({ before }) => before === undefined).map(toWriteStep);
  const replaced = plain.filter(({ before }) => before !== undefined).map(toWriteStep);
  return [
    // What cannot be removed again is made when all the rest has worked.
    ...(place.bridge.remove ? [...fresh, ...replaced] : [...replaced, ...fresh]),
    ...moves.flatMap((move) => createMoveSteps(move, place)),
    ...changes.removals.map((removal) => createRemoveStep(removal, place)),
  ];
}

type Target = Pick<Write, "path" | "before" | "after"> & Pick<Step, "stat">;

function createWriteStep(target: Target, place: PatchPlace): Step {
  const { path, stat, before, after } = target;
  return {
    path,
    before,
    stat,
    async run() {
      if (!before) await makeFolder(path, place);
      await place.bridge.writeFile({ ...at(path, place), data: after, signal: place.signal });
    },
    revert: () => putBack(target, place),
  };
}

function createRemoveStep(removal: Removal, place: PatchPlace): Step {
  const { path, stat, before } = removal;
  return {
    path,
    before,
    stat,
    run: () => removeFile({ ...at(path, place), signal: place.signal }, place.bridge),
    revert: () => putBack(removal, place),
  };
}

function createMoveSteps(move: Write, place: PatchPlace): Step[] {
  const { from, after } = move;
  if (!from) return [createWriteStep(move, place)];
  if (!place.bridge.rename) {
    const source = { path: from.path, stat: from.stat, before: from.bytes };
    return [createWriteStep(move, place), createRemoveStep(source, place)];
  }
  const renaming = createRenameStep(from.path, { target: move, place });
  if (after.equals(from.bytes)) return [renaming];
  // The name first: a place that is refused costs nothing, and the way back needs no space.
  const change = { path: move.path, before: from.bytes, after, stat: undefined };
  return [renaming, createWriteStep(change, place)];
}

function createRenameStep(
  from: string,
  { target, place }: { target: Target; place: PatchPlace },
): Step {
  const { path, stat, before } = target;
  const { bridge, signal } = place;
  return {
    path,
    before,
    stat,
    async run() {
      if (!before) await makeFolder(path, place);
      await bridge.rename?.({ ...at(from, place), to: path, signal });
    },
    async revert() {
      await bridge.rename?.({ ...at(path, place), to: from });
      if (before) await putBack(target, place);
    },
  };
}

async function putBack(
  { path, before }: Pick<Step, "path" | "before">,
  place: PatchPlace,
): Promise<void> {
  if (before) await place.bridge.writeFile({ ...at(path, place), data: before });
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

/** `writeFile` and `rename` make parents; bridges of old leave it to `mkdirp`. */
async function makeFolder(path: string, place: PatchPlace): Promise<void> {
  const end = path.lastIndexOf("/");
  if (end <= 0) return;
  await place.bridge.mkdirp({ ...at(path.slice(0, end), place), signal: place.signal });
}

function at(filePath: string, { root }: PatchPlace): { filePath: string; cwd: string } {
  return { filePath, cwd: root };
}
