// What has to be done to take a call back, judged before anything is touched.

import { type RealPlace, realPlacesOf } from "../../../core/files/index.js";
import type { FsBridge, FsPath, UndoAction } from "../../../core/index.js";
import { ABSENT, type FileState, isSameState, seeFile } from "../file-state.js";
import type { FileChange } from "../records/rows.js";
import { fromStoredPath, type StoredPaths, toStoredPlace } from "../stored-path.js";

interface FoundAgain {
  /** Relative to the root where it lies inside. */
  readonly path: string;
  readonly at: FsPath;
  /** Where the path leads now, as places are stored; undefined where that is not told. */
  readonly leadsTo: RealPlace | undefined;
}

/** A change of the call beside what stands at its path now. */
export interface JudgedFile extends FoundAgain {
  readonly change: FileChange;
  readonly now: FileState;
  /** `done`: it is as it was before the call; `changed`: neither that nor what the call left. */
  readonly verdict: "restore" | "done" | "changed";
}

export type UndoStep =
  | { readonly kind: "put"; readonly file: JudgedFile; readonly action: UndoAction }
  /** `file` goes back to where it came from. */
  | { readonly kind: "move"; readonly file: JudgedFile; readonly source: JudgedFile };

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

/** Where a file was, the call has put others below: what stands there is theirs, and goes with them. */
function isMadeFolder(of: {
  readonly change: FileChange;
  readonly state: FileState;
  readonly all: readonly FileChange[];
}): boolean {
  const { change, state, all } = of;
  if (state.kind !== "unkept" || state.reason !== "not_regular_file") return false;
  return all.some(({ path }) => path.startsWith(`${change.path}/`));
}

/** The last change first. */
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

/** Where the file came from, when it can simply go back and so keep its permissions. */
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

/** Of steps whose path leads to another file than the call changed: the paths. */
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

/** Of an older record, and of a bridge that does not tell, nobody knows. */
function isElsewhere(
  { change, leadsTo }: Pick<FoundAgain, "leadsTo"> & { readonly change: FileChange },
  of: keyof RealPlace,
): boolean {
  return change.place !== undefined && leadsTo !== undefined && leadsTo[of] !== change.place;
}
