// Reads a whole stream as text, within a limit.

import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { ToolInputError } from "../core/index.js";
import { splitByteOrderMark } from "../lib/unicode-text.js";

/** Throws a ToolInputError when it is not UTF-8 text, or longer than `maxBytes`. */
export async function readInput(stream: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) {
      throw new ToolInputError(`stdin has more than ${maxBytes} bytes; send less.`, {
        reason: "input_too_large",
      });
    }
    chunks.push(bytes);
  }
  const bytes = Buffer.concat(chunks);
  if (isUtf8(bytes)) return splitByteOrderMark(bytes.toString()).body;
  throw new ToolInputError("stdin is not UTF-8 text; send JSON in UTF-8.", {
    reason: "input_not_text",
  });
}
