// Tells that something changed in the folders of notes. It only saves work: without it every search
// looks at all files itself.

import { type FSWatcher, watch } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** Each takes a handle of the system. */
const MAX_FOLDERS = 1_000;
/**
 * What has changed before is known to the system by now, and reported when the event loop looks for it.
 * It looks between any two turns, but the first of them may end a round that looked before.
 */
const TURNS_TO_BE_TOLD = 2;
/** Elsewhere changes are reported some time after they were made. */
const TELLS_AT_ONCE = ["linux"];

export interface FolderWatch {
  /** Every folder is watched, and nothing has changed since the last time until the call. */
  isQuiet(): Promise<boolean>;
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
    async isQuiet() {
      if (!TELLS_AT_ONCE.includes(process.platform)) return false;
      for (let turn = 0; turn < TURNS_TO_BE_TOLD && isWhole && !isDirty; turn++) {
        await setImmediate();
      }
      return isWhole && !isDirty;
    },
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
