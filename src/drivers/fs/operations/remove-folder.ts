// Removes a folder that is empty. The system itself refuses one that is not, and follows no link here.

import { rmdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { fileMissing, folderNotEmpty, notDirectory, rootKept } from "../../../core/files/index.js";
import type { FsPath } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import type { Pin } from "../pin.js";
import { pinExisting, toPlainPlace } from "../root.js";
import type { Found } from "../turns.js";
import { change, type Traces } from "./change.js";
import type { Operation } from "./operation.js";

interface FoundName extends Found {
  readonly folder: Pin;
  readonly name: string;
}

export function createRemoveFolder({ tidier }: Traces): Operation<FsPath, FoundName, void> {
  return {
    mode: "alone",
    async find(root, request) {
      const target = root.locate(request);
      const { path, relative } = target;
      if (relative === "") throw rootKept(path);
      root.assertMayChange(toPlainPlace(root, target), path);
      const parent = posix.dirname(relative);
      const above = parent === "." ? "" : parent;
      const folder = await pinExisting(root, { ...target, relative: above, namesFolder: true });
      if (!folder) throw fileMissing(path);
      try {
        const name = posix.basename(relative);
        const place = join(folder.realPath, name);
        root.assertMayChange(place, path);
        return { folder, name, places: [place], close: folder.close };
      } catch (error) {
        folder.close();
        throw error;
      }
    },
    use: ({ folder, name }, { filePath: path, signal }) =>
      change({ folders: [folder], path, signal, tidier }, () =>
        rmdir(`${folder.door}/${name}`).catch((error: unknown) => {
          throw toFolderError(error, path);
        }),
      ),
  };
}

function toFolderError(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (errno === "ENOTEMPTY" || errno === "EEXIST") return folderNotEmpty(path, error);
  return errno === "ENOTDIR" ? notDirectory(path) : error;
}
