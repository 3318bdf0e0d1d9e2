// Names that no mount can hold, because nothing is there yet, and that a command must not make: they
// are removed as soon as they are seen, and once more at the end.

import { lstatSync, rmSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** undefined when there are none. All of them lie in one folder. */
export function guardNames(paths: readonly string[]) {
  const [first] = paths;
  if (first === undefined) return undefined;
  const names = paths.map((path) => basename(path));
  return () => {
    const removed = new Set<string>();
    const removeAll = () => {
      for (const path of paths) if (removeMade(path)) removed.add(path);
    };
    const stop = watchFolder(dirname(first), (name) => {
      if (name === null || names.includes(name)) removeAll();
    });
    return () => {
      stop();
      removeAll();
      return removed.size === 0 ? undefined : toNotice([...removed]);
    };
  };
}

/** Without a watch, as where the system has no more of them, there is still the end. */
function watchFolder(folder: string, onName: (name: string | null) => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => onName(name));
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    // Told by nobody: the names are looked for at the end in any case.
    return () => undefined;
  }
}

function removeMade(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  rmSync(path, { recursive: true, force: true });
  return true;
}

function toNotice(paths: readonly string[]): string {
  return `The command made "${paths.join('", "')}", by which git would run programs of its choice; that was removed.`;
}
