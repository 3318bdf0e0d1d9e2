// Notices that the config was changed while a server runs.

import { stat } from "node:fs/promises";

const LOOK_MS = 1_000;

/**
 * `onChange` is called once for each change that is still there at the next look; the returned function
 * ends the watching. `files`: absolute paths, of files that need not be there.
 */
export function watchConfig(files: readonly string[], onChange: () => void): () => void {
  let before: string | undefined;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const now = (await Promise.all(files.map(describeFile))).join();
    isLooking = false;
    if (before !== undefined && before !== now) onChange();
    before = now;
  };
  void look();
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function describeFile(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    // One that is not there, or cannot be looked at, is as good as none.
    return "";
  }
}
