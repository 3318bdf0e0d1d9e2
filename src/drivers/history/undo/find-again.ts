// Finds the file again that a call changed: by the path that the call used while that leads there, else
// by where it lay. Whether a step of an undo would come to another file is told before it is done.

import { type RealPlace, realPlacesOf } from "../../../core/files/index.js";
import type { FsBridge, FsPath } from "../../../core/index.js";
import type { FileChange } from "../records/rows.js";
import { fromStoredPath, type StoredPaths, toStoredPlace } from "../stored-path.js";
import type { UndoStep } from "./plan.js";

export interface FoundAgain {
  /** Relative to the root where it lies inside. */
  readonly path: string;
  readonly at: FsPath;
  /** Where the path leads now, as places are stored; undefined where that is not told. */
  readonly leadsTo: RealPlace | undefined;
}

export async function findAgain(
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
