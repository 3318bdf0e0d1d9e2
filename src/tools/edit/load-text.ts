// The text of a file that is to be edited; one that is not valid UTF-8 is refused, not damaged.

import { isUtf8 } from "node:buffer";
import { type FsBridge, type FsPath, ToolError, ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { toBytes } from "./to-bytes.js";

const MAX_FILE_BYTES = 64 * 1024 * 1024;

export async function loadText(bridge: FsBridge, file: FsPath): Promise<string> {
  const name = toPrintable(file.filePath);
  const stat = await bridge.stat(file);
  if (!stat) {
    const message = `"${name}" does not exist; check the path, or use write to make the file.`;
    throw new ToolError("not_found", message, { reason: "file_missing" });
  }
  if (stat.type !== "file") {
    const [what, reason] =
      stat.type === "directory"
        ? ["a folder; name a file in it", "is_directory"]
        : ["not a regular file; choose another path", "not_regular_file"];
    throw new ToolInputError(`"${name}" is ${what}.`, { reason });
  }
  assertSize(name, stat.size);
  const bytes = toBytes(await bridge.readFile(file), file.filePath);
  assertSize(name, bytes.length);
  if (!isUtf8(bytes)) {
    const message = `"${name}" is not valid UTF-8 and is left as it is; change it with another tool.`;
    throw new ToolInputError(message, { reason: "not_utf8" });
  }
  return bytes.toString("utf8");
}

function assertSize(name: string, size: number): void {
  if (size <= MAX_FILE_BYTES) return;
  throw new ToolError(
    "limit",
    `"${name}" has ${size} bytes; edit takes files of at most ${MAX_FILE_BYTES}. Change it with another tool.`,
    { reason: "file_too_large", details: { size, maxBytes: MAX_FILE_BYTES } },
  );
}
