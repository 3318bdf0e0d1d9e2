// Does the steps of an undo, all of them: when one fails, those before it are taken back.

import { type FsBridge, type FsPath, ToolError } from "../../../core/index.js";
import { undoIncomplete } from "../errors.js";
import { type FileState, isSameState, seeFile } from "../file-state.js";
import type { Objects } from "../objects.js";
import type { UndoStep } from "./plan.js";

/** In one folder that stands where a file was. */
const MAX_FOLDERS = 1_000;

export interface Restore {
  readonly bridge: FsBridge;
  readonly objects: Objects;
  readonly steps: readonly UndoStep[];
}

/** Goes on to its end whatever signal there is: half an undo is worse than none. */
export async function restoreAll({ bridge, objects, steps }: Restore): Promise<void> {
  const begun: UndoStep[] = [];
  try {
    for (const step of steps) {
      begun.push(step);
      await doStep(step, { bridge, objects });
    }
  } catch (error) {
    const left = await takeBack(begun.reverse(), { bridge, objects });
    throw left.length > 0 ? undoIncomplete(left, error) : error;
  }
}

type Means = Omit<Restore, "steps">;

async function doStep(step: UndoStep, means: Means): Promise<void> {
  const { at, change } = step.file;
  if (step.kind === "put") return put(at, { state: change.before, ...means });
  await move({ from: at, to: step.source.at, bridge: means.bridge });
}

/** The paths that could not be put back as they were. */
async function takeBack(begun: readonly UndoStep[], means: Means): Promise<string[]> {
  const left: string[] = [];
  for (const step of begun) {
    try {
      if (await isDone(step, means.bridge)) await revert(step, means);
    } catch {
      left.push(step.file.change.path);
    }
  }
  return left;
}

/** The step that failed may have changed nothing. */
async function isDone({ file }: UndoStep, bridge: FsBridge): Promise<boolean> {
  const maxBytes = file.now.kind === "file" ? file.now.bytes : 0;
  const { state } = await seeFile(bridge, { path: file.at, maxBytes });
  return !isSameState(state, file.now);
}

async function revert(step: UndoStep, means: Means): Promise<void> {
  const { at, now } = step.file;
  if (step.kind === "put") return put(at, { state: now, ...means });
  await move({ from: step.source.at, to: at, bridge: means.bridge });
}

async function put(at: FsPath, { state, bridge, objects }: Means & { state: FileState }) {
  if (state.kind === "file") {
    if ((await bridge.stat(at))?.type === "directory") await removeEmptyFolder(bridge, at);
    return bridge.writeFile({ ...at, data: await objects.get(state.hash) });
  }
  if (state.kind === "unkept") {
    throw new ToolError("unavailable", `"${at.filePath}" cannot be put back.`, {
      reason: "undo_not_kept",
    });
  }
  if ((await bridge.stat(at)) !== null) await bridge.remove?.(at);
}

/** With folders in it that are empty too; throws when there is anything else. */
async function removeEmptyFolder(bridge: FsBridge, at: FsPath): Promise<void> {
  const entries = (await bridge.list?.({ ...at, limit: MAX_FOLDERS })) ?? [];
  for (const { name, type } of entries) {
    const inside = { ...at, filePath: `${at.filePath}/${name}` };
    if (type === "directory") await removeEmptyFolder(bridge, inside);
  }
  await bridge.removeFolder?.(at);
}

async function move(way: { from: FsPath; to: FsPath; bridge: FsBridge }): Promise<void> {
  await way.bridge.rename?.({ ...way.from, to: way.to.filePath });
}
