// The bytes of a file through any bridge: what it is and how large is asked before it is read.

import { type FsBridge, type FsPath, ToolError, ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { MAX_FILE_BYTES } from "./limits.js";
import { toBytes } from "./to-bytes.js";

export async function loadFile(bridge: FsBridge, file: FsPath): Promise<Buffer> {
  const name = toPrintable(file.filePath);
  const stat = await bridge.stat(file);
  if (!stat) {
    throw new ToolError("not_found", `"${name}" does not exist; check the path.`, {
      reason: "file_missing",
    });
  }
  if (stat.type === "directory") {
    throw new ToolInputError(`"${name}" is a folder; list it with another tool and read a file.`, {
      reason: "is_directory",
    });
  }
  if (stat.type !== "file") {
    throw new ToolInputError(`"${name}" is not a regular file; choose another path.`, {
      reason: "not_regular_file",
    });
  }
  assertSize(name, stat.size);
  const bytes = toBytes(await bridge.readFile(file), file.filePath);
  assertSize(name, bytes.length);
  return bytes;
}

function assertSize(name: string, size: number): void {
  if (size <= MAX_FILE_BYTES) return;
  throw new ToolError(
    "limit",
    `"${name}" has ${size} bytes; read takes files of at most ${MAX_FILE_BYTES}. Split the file, or look at a part of it with another tool.`,
    { reason: "file_too_large", details: { size, maxBytes: MAX_FILE_BYTES } },
  );
}
