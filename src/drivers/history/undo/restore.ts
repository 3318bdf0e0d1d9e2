// Does the steps of an undo, all of them: when one fails, those before it are taken back.

import {
  type FileAccess,
  isSameAccess,
  type RealPlace,
  realPlacesOf,
  type WriteWithAccess,
} from "../../../core/files/index.js";
import {
  type FsBridge,
  type FsPath,
  isToolError,
  ToolError,
  type UndoAction,
} from "../../../core/index.js";
import { fileDamaged, undoIncomplete } from "../errors.js";
import {
  ABSENT,
  accessOfState,
  type FileState,
  fromStoredPath,
  isSameState,
  type StoredPaths,
  seeFile,
  toStoredPlace,
} from "../file-state.js";
import type { Objects } from "../objects.js";
import type { FileChange } from "../records/rows.js";

interface FoundAgain {
  readonly path: string;
  readonly at: FsPath;
  readonly leadsTo: RealPlace | undefined;
}

export interface JudgedFile extends FoundAgain {
  readonly change: FileChange;
  readonly now: FileState;
  /** `done`: it is as it was before the call; `changed`: neither that nor what the call left. */
  readonly verdict: "restore" | "done" | "changed";
}

export type UndoStep =
  | { readonly kind: "put"; readonly file: JudgedFile; readonly action: UndoAction }
  | { readonly kind: "move"; readonly file: JudgedFile; readonly source: JudgedFile };

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

/** A file that was only written to keeps its permissions; a recreated one gets the old ones. */
function accessBefore({ file, action }: PutStep): FileAccess {
  const before = accessOfState(file.change.before);
  // What is made again is nowhere, also when what had come in its place was just moved back.
  const isThere = action === "restored" && file.now.kind === "file";
  const isLeft = isSameAccess(accessOfState(file.change.after), before);
  return isThere && file.verdict === "restore" && isLeft ? {} : before;
}

interface Put extends Means {
  readonly state: FileState;
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

export async function isBare(bridge: FsBridge, at: FsPath): Promise<boolean> {
  if (!bridge.removeFolder) return false;
  const entries = (await bridge.list?.({ ...at, limit: MAX_FOLDERS })) ?? [];
  if (entries.length === MAX_FOLDERS) return false;
  for (const { name, type } of entries) {
    if (type !== "directory" || !(await isBare(bridge, inside(at, name)))) return false;
  }
  return true;
}

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

export async function judgeFiles(
  bridge: FsBridge,
  request: {
    readonly changes: readonly FileChange[];
    readonly paths: StoredPaths;
    readonly maxFileBytes: number;
  },
): Promise<JudgedFile[]> {
  const judged: JudgedFile[] = [];
  for (const change of request.changes) {
    const found = await findAgain(bridge, { change, paths: request.paths });
    const maxBytes = Math.max(request.maxFileBytes, sizeOf(change.after), sizeOf(change.before));
    const { state } = await seeFile(bridge, { path: found.at, maxBytes });
    const now = isMadeFolder({ change, state, all: request.changes }) ? ABSENT : state;
    judged.push({ ...found, change, now, verdict: judge(change, now) });
  }
  return judged;
}

/** Where a file was, the call has put others below: what is there is theirs, and goes with them. */
function isMadeFolder(of: {
  readonly change: FileChange;
  readonly state: FileState;
  readonly all: readonly FileChange[];
}): boolean {
  const { change, state, all } = of;
  if (state.kind !== "unkept" || state.reason !== "not_regular_file") return false;
  return all.some(({ path }) => path.startsWith(`${change.path}/`));
}

export function planSteps(files: readonly JudgedFile[], bridge: FsBridge): UndoStep[] {
  const steps: UndoStep[] = [];
  const moved = new Set<JudgedFile>();
  for (const file of files.filter(({ verdict }) => verdict !== "done").reverse()) {
    if (moved.has(file)) continue;
    const source = bridge.rename ? findSource(file, files) : undefined;
    if (source) {
      moved.add(source);
      steps.push({ kind: "move", file, source });
    }
    const isGone = source !== undefined && file.change.before.kind === "absent";
    if (!isGone) steps.push({ kind: "put", file, action: actionOf(file, source) });
  }
  return steps;
}

function findSource(file: JudgedFile, files: readonly JudgedFile[]): JudgedFile | undefined {
  const source = files.find(({ change }) => change.path === file.change.movedFrom);
  if (source?.now.kind !== "absent" || source.verdict === "done") return undefined;
  const isPure = source.change.after.kind === "absent" && source.change.earlier === undefined;
  return isPure && isSameState(file.now, source.change.before) ? source : undefined;
}

function actionOf({ change, now }: JudgedFile, source: JudgedFile | undefined): UndoAction {
  if (change.before.kind === "absent") return "removed";
  return now.kind === "absent" || source ? "recreated" : "restored";
}

function judge({ before, after, earlier }: FileChange, now: FileState): JudgedFile["verdict"] {
  if (isSameState(now, before)) return "done";
  const isExpected = isSameState(now, after) || (earlier && isSameState(now, earlier));
  return isExpected ? "restore" : "changed";
}

function sizeOf(state: FileState): number {
  return state.kind === "file" ? state.bytes : 0;
}

async function findAgain(
  bridge: FsBridge,
  { change, paths }: { readonly change: FileChange; readonly paths: StoredPaths },
): Promise<FoundAgain> {
  const find = async (path: string): Promise<FoundAgain> => {
    const at = fromStoredPath(path, paths);
    const real = await realPlacesOf(bridge)?.(at).catch(() => undefined);
    const leadsTo = real && {
      entry: toStoredPlace(real.entry, paths),
      file: toStoredPlace(real.file, paths),
    };
    return { path, at, leadsTo };
  };
  const { path, place } = change;
  const named = await find(path);
  if (place === undefined || place === path) return named;
  const isThere = place === named.leadsTo?.entry || place === named.leadsTo?.file;
  return isThere ? named : find(place);
}

export function findStray(steps: readonly UndoStep[]): string[] {
  const moved = new Set(steps.filter(({ kind }) => kind === "move").map(({ file }) => file));
  const stray = steps.filter((step) => {
    if (step.kind === "move")
      return isElsewhere(step.file, "entry") || isElsewhere(step.source, "file");
    // What is removed goes by its name, and what was just moved back left its place free.
    const isByName = step.file.change.before.kind === "absent" || moved.has(step.file);
    return isElsewhere(step.file, isByName ? "entry" : "file");
  });
  return [...new Set(stray.map(({ file }) => file.path))];
}

/** Of an older record, and of a bridge that does not tell, no one knows. */
function isElsewhere(
  { change, leadsTo }: Pick<FoundAgain, "leadsTo"> & { readonly change: FileChange },
  of: keyof RealPlace,
): boolean {
  return change.place !== undefined && leadsTo !== undefined && leadsTo[of] !== change.place;
}
