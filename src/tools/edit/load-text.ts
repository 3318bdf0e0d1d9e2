// The text of a file that is to be edited, with the way back to the bytes of its encoding.

import { isAscii, isUtf8 } from "node:buffer";
import { assertRegularFile, explainMissing, toBytes } from "../../core/files/index.js";
import { type FsBridge, type FsPath, ToolError, ToolInputError } from "../../core/index.js";
import { applySplices, type Splice } from "../../lib/diff/text-splices.js";
import { judgeBlock } from "../../lib/encoding/judge-block.js";
import { BLOCK_BYTES, judgeHead } from "../../lib/encoding/judge-head.js";
import type { Encoding } from "../../lib/encoding/not-text.js";
import { toPrintable } from "../../lib/printable.js";
import { type Codec, createCodec } from "./codec.js";

const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface LoadedText {
  readonly encoding: Encoding;
  readonly fileBytes: number;
  readonly text: string;
  toFile(splices: readonly Splice[]): Buffer;
  /** The first character that the file cannot hold; undefined when it can hold them all. */
  findForeign(text: string): string | undefined;
}

export async function loadText(bridge: FsBridge, file: FsPath): Promise<LoadedText> {
  const stat = await bridge.stat(file);
  if (stat === null) throw await explainMissing(bridge, file);
  assertRegularFile(stat, file.filePath);
  assertSize(file.filePath, stat.size);
  const bytes = toBytes(await bridge.readFile(file), file.filePath);
  assertSize(file.filePath, bytes.length);
  const encoding = detectEncoding(bytes);
  if (!encoding) throw encodingUnknown(file.filePath);
  return decodeText({ bytes, path: file.filePath, codec: createCodec(encoding) });
}

interface EncodedFile {
  readonly bytes: Buffer;
  readonly path: string;
  readonly codec: Codec;
}

function decodeText(file: EncodedFile): LoadedText {
  const { bytes, path, codec } = file;
  const text = codec.decode(bytes);
  const isWhole = codec.encoding === "utf-8" && isUtf8(bytes);
  return {
    encoding: codec.encoding,
    fileBytes: bytes.length,
    text,
    toFile(splices) {
      const changed = applySplices(text, splices);
      if (isWhole) return Buffer.from(changed);
      const data = spliceFile(file, splices);
      // What the file says afterwards is what was asked for, and nothing else.
      if (codec.decode(data) !== changed) throw encodingUnsafe(path);
      return data;
    },
    findForeign: (added) =>
      codec.encode(added) ? undefined : [...added].find((character) => !codec.encode(character)),
  };
}

/** Between the splices every byte is the file's own, whether it could be written again or not. */
function spliceFile({ bytes, path, codec }: EncodedFile, splices: readonly Splice[]): Buffer {
  const findPlace = codec.createPlaceFinder(bytes);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const splice of splices) {
    const [start, end] = [findPlace(splice.start), findPlace(splice.end)];
    const encoded = codec.encode(splice.text);
    if (start === undefined || end === undefined || !encoded) throw encodingUnsafe(path);
    pieces.push(bytes.subarray(from, start), encoded);
    from = end;
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}

function encodingUnknown(path: string): ToolInputError {
  return new ToolInputError(
    `"${toPrintable(path)}" is not text in an encoding that is known and is left as it is; change it with another tool.`,
    { reason: "encoding_unknown" },
  );
}

function encodingUnsafe(path: string): ToolInputError {
  return new ToolInputError(
    `"${toPrintable(path)}" has bytes that are not text right next to the change, so it could not be made without changing more; give a longer oldText, or change the file with another tool.`,
    { reason: "encoding_unsafe" },
  );
}

function assertSize(path: string, size: number): void {
  if (size <= MAX_FILE_BYTES) return;
  throw new ToolError(
    "limit",
    `"${toPrintable(path)}" has ${size} bytes; edit takes files of at most ${MAX_FILE_BYTES}. Change it with another tool.`,
    { reason: "file_too_large", details: { size, maxBytes: MAX_FILE_BYTES } },
  );
}

export function detectEncoding(bytes: Buffer): Encoding | undefined {
  const isLast = bytes.length <= BLOCK_BYTES;
  const head = judgeHead({ bytes: bytes.subarray(0, BLOCK_BYTES), isLast });
  if (head) return head.encoding ?? judgeRest(bytes);
  // Text with a NUL here and there is not shown, but nothing about it is guessed.
  return isUtf8(bytes) ? "utf-8" : undefined;
}

function judgeRest(bytes: Buffer): Encoding {
  for (let start = BLOCK_BYTES; start < bytes.length; start += BLOCK_BYTES) {
    const block = bytes.subarray(start, start + BLOCK_BYTES);
    if (isAscii(block)) continue;
    const isLast = start + BLOCK_BYTES >= bytes.length;
    return judgeBlock({ bytes: block, isLast }) ?? "utf-8";
  }
  return "utf-8";
}
