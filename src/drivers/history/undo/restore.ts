// Does the steps of an undo, all of them: when one fails, those before it are taken back.

import { type FileAccess, isSameAccess, type WriteWithAccess } from "../../../core/files/index.js";
import { type FsBridge, type FsPath, isToolError, ToolError } from "../../../core/index.js";
import { fileDamaged, undoIncomplete } from "../errors.js";
import { accessOfState, type FileState, isSameState, seeFile } from "../file-state.js";
import type { Objects } from "../objects.js";
import type { UndoStep } from "./plan.js";

/** In one folder; of more it counts as not empty. */
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
    const failed = begun.at(-1)?.file.path;
    const left = await takeBack(begun.reverse(), { bridge, objects });
    if (left.length > 0) throw undoIncomplete(left, error);
    const isDamaged = isToolError(error) && error.reason === "undo_damaged";
    throw isDamaged && failed !== undefined ? fileDamaged(failed, error) : error;
  }
}

type Means = Omit<Restore, "steps">;
type PutStep = Extract<UndoStep, { readonly kind: "put" }>;

async function doStep(step: UndoStep, means: Means): Promise<void> {
  const { at, change } = step.file;
  if (step.kind === "put") {
    return put(at, { state: change.before, access: accessBefore(step), ...means });
  }
  await move({ from: at, to: step.source.at, bridge: means.bridge });
}

/** The paths that could not be put back as they were. */
async function takeBack(begun: readonly UndoStep[], means: Means): Promise<string[]> {
  const left: string[] = [];
  for (const step of begun) {
    try {
      if (await isDone(step, means.bridge)) await revert(step, means);
    } catch {
      left.push(step.file.path);
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
  if (step.kind === "put") return put(at, { state: now, access: accessOfState(now), ...means });
  await move({ from: step.source.at, to: at, bridge: means.bridge });
}

/**
 * A file that was only written to has its permissions and its owner still, or others by choice. Where the
 * call, or somebody else, put another in its place, the old content gets those it had.
 */
function accessBefore({ file, action }: PutStep): FileAccess {
  const before = accessOfState(file.change.before);
  // What is made again stands nowhere, also when what had come in its place was just moved back.
  const isThere = action === "restored" && file.now.kind === "file";
  const isLeft = isSameAccess(accessOfState(file.change.after), before);
  return isThere && file.verdict === "restore" && isLeft ? {} : before;
}

interface Put extends Means {
  readonly state: FileState;
  /** What is missing is as the bridge does it. */
  readonly access: FileAccess;
}

async function put(at: FsPath, { state, access, bridge, objects }: Put): Promise<void> {
  if (state.kind === "file") {
    if ((await bridge.stat(at))?.type === "directory") await removeBareFolder(bridge, at);
    const data = await objects.get(state.hash);
    const request: WriteWithAccess = { ...at, data, ...access };
    return bridge.writeFile(request);
  }
  if (state.kind === "unkept") {
    throw new ToolError("unavailable", `"${at.filePath}" cannot be put back.`, {
      reason: "undo_not_kept",
    });
  }
  const there = await bridge.stat(at);
  if (there?.type === "directory") await removeBareFolder(bridge, at);
  else if (there !== null) await bridge.remove?.(at);
}

async function move(way: { from: FsPath; to: FsPath; bridge: FsBridge }): Promise<void> {
  await way.bridge.rename?.({ ...way.from, to: way.to.filePath });
}

/** Nothing is removed to find out. Where the bridge cannot list, removing it will tell. */
export async function isBare(bridge: FsBridge, at: FsPath): Promise<boolean> {
  if (!bridge.removeFolder) return false;
  const entries = (await bridge.list?.({ ...at, limit: MAX_FOLDERS })) ?? [];
  if (entries.length === MAX_FOLDERS) return false;
  for (const { name, type } of entries) {
    if (type !== "directory" || !(await isBare(bridge, inside(at, name)))) return false;
  }
  return true;
}

/** Throws when there is anything in it but folders. */
async function removeBareFolder(bridge: FsBridge, at: FsPath): Promise<void> {
  const entries = (await bridge.list?.({ ...at, limit: MAX_FOLDERS })) ?? [];
  for (const { name, type } of entries) {
    if (type === "directory") await removeBareFolder(bridge, inside(at, name));
  }
  await bridge.removeFolder?.(at);
}

function inside(at: FsPath, name: string): FsPath {
  return { ...at, filePath: `${at.filePath}/${name}` };
}
