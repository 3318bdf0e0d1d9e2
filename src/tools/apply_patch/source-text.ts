// A file as lines, and the way back to its bytes. UTF-8 and UTF-16 are read as text; what is neither
// is read byte by byte, so that every byte that is not asked to change stays.

import { isUtf8 } from "node:buffer";
import { ToolError, ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { splitByteOrderMark } from "../../lib/unicode-text.js";
import { MAX_FILE_LINES } from "./limits.js";

const LINE_FEED = "\n";
const CRLF = "\r\n";
const WIDE_MARK = Buffer.from([0xff, 0xfe, 0, 0]);

/** "bytes": one character a byte, of an encoding that is not known. */
type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "bytes";

export interface SourceText {
  readonly encoding: Encoding;
  readonly mark: string;
  readonly body: string;
  readonly lines: readonly string[];
  readonly starts: Uint32Array;
}

export function readSourceText(bytes: Buffer, path: string): SourceText {
  const decoded = decodeText(bytes);
  if (!decoded) throw binaryFile(path);
  const { encoding, text } = decoded;
  const { mark, body } = encoding === "bytes" ? { mark: "", body: text } : splitByteOrderMark(text);
  assertLineCount(body, path);
  const parts = body.split(LINE_FEED);
  const rest = parts.pop() ?? "";
  const starts = new Uint32Array(parts.length + 2);
  let start = 0;
  for (let index = 0; index < parts.length; index++) {
    start += (parts[index] ?? "").length + 1;
    starts[index + 1] = start;
  }
  const lines = body.includes(CRLF) ? parts.map(withoutReturn) : parts;
  // The carriage return of a last line that no line feed follows is a letter of it.
  if (rest !== "") lines.push(rest);
  starts[lines.length] = body.length;
  return { encoding, mark, body, lines, starts };
}

export function toFileBytes({ encoding, mark }: SourceText, body: string): Buffer {
  if (encoding === "utf-8") return Buffer.from(mark + body);
  if (encoding === "bytes") return Buffer.from(body, "latin1");
  const bytes = Buffer.from(mark + body, "utf16le");
  return encoding === "utf-16le" ? bytes : bytes.swap16();
}

export function lineEndOf({ body, lines, starts }: SourceText, index: number): string {
  const end = starts[index + 1];
  if (index < 0 || index >= lines.length || end === undefined) return "";
  if (body[end - 1] !== LINE_FEED) return "";
  return body[end - 2] === "\r" ? CRLF : LINE_FEED;
}

export function decodeText(bytes: Buffer): { encoding: Encoding; text: string } | undefined {
  const isWhole = bytes.length % 2 === 0 && !bytes.subarray(0, WIDE_MARK.length).equals(WIDE_MARK);
  if (isWhole && bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { encoding: "utf-16le", text: bytes.toString("utf16le") };
  }
  if (isWhole && bytes[0] === 0xfe && bytes[1] === 0xff) {
    return { encoding: "utf-16be", text: Buffer.from(bytes).swap16().toString("utf16le") };
  }
  if (isUtf8(bytes)) return { encoding: "utf-8", text: bytes.toString("utf8") };
  if (bytes.includes(0)) return undefined;
  return { encoding: "bytes", text: bytes.toString("latin1") };
}

export function binaryFile(path: string): ToolInputError {
  return new ToolInputError(
    `"${toPrintable(path)}" is a binary file and is left as it is; such files can only be deleted, moved or replaced as a whole.`,
    { reason: "binary_file", details: { path } },
  );
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function assertLineCount(body: string, path: string): void {
  if (body.length <= MAX_FILE_LINES) return;
  let count = 0;
  for (let at = body.indexOf(LINE_FEED); at !== -1; at = body.indexOf(LINE_FEED, at + 1)) count++;
  if (count <= MAX_FILE_LINES) return;
  throw new ToolError(
    "limit",
    `"${toPrintable(path)}" has ${count} lines; a patch takes files of at most ${MAX_FILE_LINES}. Change it with another tool.`,
    { reason: "file_too_long", details: { size: count, max: MAX_FILE_LINES } },
  );
}
