// The text of a file that is searched, through any bridge; or why it is not searched.

import { type Place, toBytes, toStat } from "../../core/files/index.js";
import type { FsPath } from "../../core/index.js";
import { BLOCK_BYTES, judgeHead } from "../../lib/encoding/judge-head.js";
import { createTextStream } from "../../lib/encoding/text-stream.js";
import { MAX_FILE_MIB } from "./limits.js";

const MAX_FILE_BYTES = MAX_FILE_MIB * 1024 * 1024;

export type FileText = { readonly text: string } | "binary" | "large" | "unmatched";

/** `needle`: a UTF-8 file without these bytes is not decoded. */
export async function readFileText(
  place: Place,
  { path, needle }: { readonly path: string; readonly needle: Buffer | undefined },
): Promise<FileText> {
  const bytes = await readBytes(place, path);
  if (bytes === undefined) return "large";
  const isLast = bytes.length <= BLOCK_BYTES;
  const finding = judgeHead({ bytes: bytes.subarray(0, BLOCK_BYTES), isLast });
  if (!finding) return "binary";
  const encoding = finding.encoding ?? "utf-8";
  const body = bytes.subarray(finding.markBytes);
  if (encoding !== "utf-8") {
    const stream = createTextStream(encoding);
    return { text: `${stream.push(body)}${stream.end()}` };
  }
  return needle && !body.includes(needle) ? "unmatched" : { text: body.toString() };
}

/** undefined when there are too many. */
async function readBytes(
  { bridge, root, signal }: Place,
  filePath: string,
): Promise<Buffer | undefined> {
  const file: FsPath = { filePath, cwd: root, signal };
  if (typeof bridge.openFile !== "function") {
    const stat = toStat(await bridge.stat(file), filePath);
    if (stat && stat.size > MAX_FILE_BYTES) return undefined;
    return toBytes(await bridge.readFile(file), filePath);
  }
  const opened = await bridge.openFile(file);
  try {
    if (opened.stat.size > MAX_FILE_BYTES) return undefined;
    const bytes = Buffer.allocUnsafe(opened.stat.size);
    return bytes.subarray(0, await opened.read(bytes, 0));
  } finally {
    await opened.close();
  }
}
