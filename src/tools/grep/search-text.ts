// Finds the matching lines of one text. Time limits are left to the caller.

import { type Place, toBytes, toStat } from "../../core/files/index.js";
import { type FsPath, ToolInputError } from "../../core/index.js";
import { BLOCK_BYTES, judgeHead } from "../../lib/encoding/judge-head.js";
import { createTextStream } from "../../lib/encoding/text-stream.js";
import { toPrintable } from "../../lib/printable.js";
import { MAX_FILE_MIB } from "./limits.js";

export interface PatternRequest {
  readonly pattern: string;
  readonly literal?: boolean | undefined;
  readonly ignoreCase?: boolean | undefined;
}

export interface LinePattern {
  findLines(text: string, max: number): LineHit[];
  readonly needle: Buffer | undefined;
}

export interface LineHit {
  readonly line: number;
  readonly column: number;
}

export function compileLinePattern(request: PatternRequest): LinePattern {
  const { ignoreCase, source } = readPattern(request);
  const isLiteral = !/[\\^$.*+?()[\]{}|]/.test(source.replace(/\\[^\w\s]/g, ""));
  const whole = toRegExp(source, { flags: `gm${ignoreCase ? "i" : ""}`, request });
  const line = new RegExp(whole.source, whole.flags.replace(/[gm]/g, ""));
  return {
    findLines: (text, max) => findLines({ text, whole, line, max }),
    needle: isLiteral && !ignoreCase ? Buffer.from(source.replaceAll("\\", "")) : undefined,
  };
}

/** `(?i)` in front is how other tools spell "ignore case". */
function readPattern({ pattern, literal = false, ignoreCase = false }: PatternRequest) {
  if (literal) return { ignoreCase, source: pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") };
  const source = pattern.replace(/^\(\?i\)/, "");
  return { ignoreCase: ignoreCase || source !== pattern, source };
}

function toRegExp(
  source: string,
  { flags, request }: { readonly flags: string; readonly request: PatternRequest },
): RegExp {
  try {
    // Only with `u` a `\p{…}` is a class; without it needless escapes such as `\-` are allowed.
    return new RegExp(source, /\\p\{/i.test(source) ? `${flags}u` : flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*?: (?=[^:]*$)/, "") : "";
    throw new ToolInputError(
      `pattern "${toPrintable(request.pattern, 100)}" is not a valid regular expression: ${reason}. Fix it, or set literal to true to search for plain text.`,
      { reason: "pattern_invalid", cause: error },
    );
  }
}

interface Search {
  readonly text: string;
  readonly whole: RegExp;
  readonly line: RegExp;
  readonly max: number;
}

/** A match in one line is also one in the whole text, so lines without one are never looked at. */
function findLines({ text, whole, line, max }: Search): LineHit[] {
  const hits: LineHit[] = [];
  let lineNumber = 1;
  let counted = 0;
  for (let at = 0; at < text.length && hits.length < max; ) {
    whole.lastIndex = at;
    const match = whole.exec(text);
    if (!match || match.index >= text.length) break;
    const start = text.lastIndexOf("\n", match.index - 1) + 1;
    const feed = text.indexOf("\n", match.index);
    const end = feed === -1 ? text.length : feed;
    for (let next = text.indexOf("\n", counted); next !== -1 && next < start; ) {
      lineNumber += 1;
      counted = next + 1;
      next = text.indexOf("\n", counted);
    }
    const isOneLine = match.index + match[0].length <= end;
    const column = isOneLine ? match.index - start : text.slice(start, end).search(line);
    if (column !== -1) hits.push({ line: lineNumber, column });
    at = end + 1;
  }
  return hits;
}

const MAX_FILE_BYTES = MAX_FILE_MIB * 1024 * 1024;

export type FileText = { readonly text: string } | "binary" | "large" | "unmatched";

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
