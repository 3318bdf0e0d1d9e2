// The documented four-method file port over a map: for tests that need a bridge, not a disk.
import { posix } from "node:path";
import type { FsBridge, FsPath } from "clawtools";

/** Where relative paths begin; give it as `root` of the context too. */
export const MEMORY_ROOT = "/project";

/** `files` maps paths, absolute or relative to MEMORY_ROOT, to their text. */
export function createMemoryBridge(files: Readonly<Record<string, string>>): FsBridge {
  const place = ({ filePath, cwd }: FsPath) => posix.resolve(MEMORY_ROOT, cwd ?? "", filePath);
  const contents = new Map(
    Object.entries(files).map(([filePath, text]) => [place({ filePath }), Buffer.from(text)]),
  );
  return {
    async stat(path) {
      const found = contents.get(place(path));
      return found ? { type: "file", size: found.length, mtimeMs: 0 } : null;
    },
    async readFile(path) {
      const found = contents.get(place(path));
      if (found) return found;
      throw Object.assign(new Error(`ENOENT: ${place(path)}`), { code: "ENOENT" });
    },
    async mkdirp() {
      // Folders need no place of their own in a map of paths.
    },
    async writeFile(path) {
      contents.set(place(path), Buffer.from(path.data));
    },
  };
}
