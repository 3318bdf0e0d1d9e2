// A bridge over a map that can also open files and list folders, and counts what is read of them.
import { posix } from "node:path";
import type { FsBridge, FsEntry, FsPath } from "../../src/core/index.js";

export const READ_ROOT = "/project";

export interface CountingBridge extends FsBridge {
  /** Bytes given by `read` of opened files so far. */
  bytesRead(): number;
  /** Files that were opened and not closed. */
  openFiles(): number;
}

/** What a file holds: its bytes, or its size and a function that fills a buffer from a place on. */
export type FakeContent =
  | Buffer
  | { readonly size: number; give(into: Uint8Array, position: number): void };

/** `files` maps names below READ_ROOT to their content. */
export function createOpeningBridge(files: Readonly<Record<string, FakeContent>>): CountingBridge {
  const place = ({ filePath, cwd }: FsPath) => posix.resolve(READ_ROOT, cwd ?? "", filePath);
  const contents = new Map(
    Object.entries(files).map(([name, content]) => [place({ filePath: name }), content]),
  );
  let bytesRead = 0;
  let open = 0;
  const isFolder = (path: string) =>
    [...contents.keys()].some((key) => key.startsWith(path === "/" ? path : `${path}/`));
  const sizeOf = (content: FakeContent) =>
    Buffer.isBuffer(content) ? content.length : content.size;

  return {
    bytesRead: () => bytesRead,
    openFiles: () => open,
    async stat(path) {
      const found = contents.get(place(path));
      if (found) return { type: "file", size: sizeOf(found), mtimeMs: 0 };
      return isFolder(place(path)) ? { type: "directory", size: 0, mtimeMs: 0 } : null;
    },
    readFile: () => Promise.reject(new Error("the whole file must not be read")),
    mkdirp: () => Promise.reject(new Error("nothing must be made")),
    writeFile: () => Promise.reject(new Error("nothing must be written")),
    async openFile(path) {
      const found = contents.get(place(path));
      // As a bridge that is not ours would put it.
      if (!found) throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
      const size = sizeOf(found);
      open++;
      return {
        stat: { type: "file", size, mtimeMs: 0 },
        async read(into, position) {
          const count = Math.max(0, Math.min(into.length, size - position));
          const part = into.subarray(0, count);
          if (Buffer.isBuffer(found)) found.copy(part, 0, position, position + count);
          else found.give(part, position);
          bytesRead += count;
          return count;
        },
        async close() {
          open--;
        },
      };
    },
    async list({ limit, ...path }) {
      const prefix = place(path) === "/" ? "/" : `${place(path)}/`;
      const entries = new Map<string, FsEntry>();
      for (const key of contents.keys()) {
        if (!key.startsWith(prefix)) continue;
        const [name = "", ...rest] = key.slice(prefix.length).split("/");
        entries.set(name, { name, type: rest.length > 0 ? "directory" : "file" });
      }
      if (entries.size === 0) throw new Error("ENOENT");
      return [...entries.values()].slice(0, limit);
    },
  };
}
