// The text of a file that is to be edited, as UTF-8, with the way back to the file's own encoding.

import {
  assertRegularFile,
  type FsBridge,
  type FsPath,
  ToolError,
  ToolInputError,
  toBytes,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { type Codec, createCodec } from "./encoding/codec.js";
import { detectEncoding, type Encoding } from "./encoding/detect.js";

const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface LoadedText {
  readonly encoding: Encoding;
  readonly fileBytes: number;
  /** UTF-8; in a file that calls itself UTF-8 some bytes may not be. */
  readonly body: Buffer;
  /** The bytes of the file for a changed body. */
  toFile(body: Buffer): Buffer;
  /** The first character that the file cannot hold; undefined when it can hold them all. */
  findForeign(text: string): string | undefined;
}

export async function loadText(bridge: FsBridge, file: FsPath): Promise<LoadedText> {
  const stat = await bridge.stat(file);
  assertRegularFile(stat, file.filePath);
  assertSize(file.filePath, stat.size);
  const bytes = toBytes(await bridge.readFile(file), file.filePath);
  assertSize(file.filePath, bytes.length);
  const encoding = detectEncoding(bytes);
  if (!encoding) throw encodingUnknown(file.filePath);
  if (encoding === "utf-8") {
    const asItIs = { toFile: (body: Buffer) => body, findForeign: () => undefined };
    return { encoding, fileBytes: bytes.length, body: bytes, ...asItIs };
  }
  return decodeText({ bytes, path: file.filePath, codec: createCodec(encoding) });
}

function decodeText(given: { bytes: Buffer; path: string; codec: Codec }): LoadedText {
  const { bytes, path, codec } = given;
  const body = Buffer.from(codec.decode(bytes));
  const toFile = (changed: Buffer): Buffer => {
    const encoded = codec.encode(changed.toString("utf8"));
    if (!encoded) throw encodingUnknown(path);
    return encoded;
  };
  // Bytes that do not come back would be changed without being asked for.
  if (!toFile(body).equals(bytes)) throw encodingUnknown(path);
  return {
    encoding: codec.encoding,
    fileBytes: bytes.length,
    body,
    toFile,
    findForeign: (text) =>
      codec.encode(text) ? undefined : [...text].find((character) => !codec.encode(character)),
  };
}

function encodingUnknown(path: string): ToolInputError {
  return new ToolInputError(
    `"${toPrintable(path)}" is no text in UTF-8, UTF-16, Latin-1 or GB18030 and is left as it is; change it with another tool.`,
    { reason: "encoding_unknown" },
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
