// Tells that something changed in the folders of notes. It only saves work: without it every search
// looks at all files itself.

import { type FSWatcher, watch } from "node:fs";

/** Each takes a handle of the system. */
const MAX_FOLDERS = 1_000;

export interface FolderWatch {
  /** Every folder is watched, and no change was seen since the last time. */
  isQuiet(): boolean;
  /** What was seen until now is known to the caller. */
  reset(): void;
  follow(folders: readonly string[]): void;
  close(): void;
}

export function createFolderWatch(onChange: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  let isWhole = false;
  let isDirty = true;

  function noticed(): void {
    isDirty = true;
    onChange();
  }

  function drop(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
    isWhole = false;
  }

  function add(folder: string): boolean {
    if (watchers.has(folder)) return true;
    try {
      const watcher = watch(folder, { persistent: false }, noticed);
      watcher.on("error", () => drop(folder));
      watchers.set(folder, watcher);
      return true;
    } catch {
      // No handle is left, or the folder went away: then changes are looked for by hand.
      return false;
    }
  }

  return {
    isQuiet: () => isWhole && !isDirty,
    reset() {
      isDirty = false;
    },
    follow(folders) {
      const wanted = new Set(folders.slice(0, MAX_FOLDERS));
      for (const folder of [...watchers.keys()]) if (!wanted.has(folder)) drop(folder);
      const isComplete = folders.length <= MAX_FOLDERS;
      isWhole = [...wanted].map(add).every(Boolean) && isComplete;
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder);
    },
  };
}
