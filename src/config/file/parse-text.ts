// JSON5 text to a value. The parser is passed in; errors name line and column, and never the text
// around them.
import { lineNumberAt } from "../../lib/line-window.js";
import { MAX_CONFIG_DEPTH } from "../parse.js";
import { type KeyPath, showName } from "../problem.js";

interface RepeatedKey {
  readonly path: KeyPath;
  readonly offset: number;
  readonly firstOffset: number;
}

interface TextScan {
  readonly tooDeep: boolean;
  readonly repeats: readonly RepeatedKey[];
}

interface ScanOptions {
  readonly maxDepth: number;
  /** The name that a key with escapes means. */
  readonly decodeName: (raw: string) => string;
}

interface Frame {
  readonly kind: "object" | "list";
  readonly offsets: Map<string, number>;
  /** The key or index that is being read. */
  step: string | number;
  awaitsKey: boolean;
}

type ParsedText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly faults: readonly TextFault[] };

interface TextFault {
  /** Inside the text. */
  readonly path: KeyPath;
  /** As the end of a sentence that begins with the file's name. */
  readonly message: string;
}

type Parse = (text: string) => unknown;

export function parseText(text: string, parse: Parse): ParsedText {
  const scan = scanText(text, {
    maxDepth: MAX_CONFIG_DEPTH,
    decodeName: (raw) => decodeName(raw, parse),
  });
  if (scan.tooDeep) return fault(`is deeper than ${MAX_CONFIG_DEPTH} levels`);
  try {
    const value = parse(text);
    if (scan.repeats.length === 0) return { ok: true, value };
  } catch (error) {
    return fault(`is not valid JSON5 ${placeOf(error)}: ${whatOf(error)}`);
  }
  return {
    ok: false,
    faults: scan.repeats.map(({ path, offset, firstOffset }) => ({
      path,
      message: `has the key ${showName(String(path.at(-1)))} twice${linesOf(text, [firstOffset, offset])}`,
    })),
  };
}

/** Undecodable names are left as they are: the parser will refuse the text. */
export function decodeName(raw: string, parse: Parse): string {
  try {
    return Object.keys(Object(parse(`{${raw}:0}`)))[0] ?? raw;
  } catch {
    // The same text makes the parser say where it is wrong.
    return raw;
  }
}

function linesOf(text: string, offsets: readonly [number, number]): string {
  const [first, second] = [lineNumberAt(text, offsets[0]), lineNumberAt(text, offsets[1])];
  return first === second ? ` on line ${first}` : `: on line ${first} and on line ${second}`;
}

function fault(message: string): ParsedText {
  return { ok: false, faults: [{ path: [], message }] };
}

/** In words of ours: the parser names the sign, and that may be part of a secret. */
function whatOf(error: unknown): string {
  const isCut = error instanceof Error && error.message.includes("end of input");
  return isCut ? "it ends too early" : "a sign that cannot stand there";
}

/** The parser counts columns from 1, and a line's end as column 0 of the next. */
function placeOf(error: unknown): string {
  const line = readNumber(error, "lineNumber");
  const column = readNumber(error, "columnNumber");
  if (line === undefined || column === undefined) return "somewhere";
  return column === 0 ? `at the end of line ${line - 1}` : `at line ${line}, column ${column}`;
}

function readNumber(error: unknown, name: string): number | undefined {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
  return typeof value === "number" ? value : undefined;
}

export function scanText(text: string, options: ScanOptions): TextScan {
  const readToken = createTokenReader(text);
  const frames: Frame[] = [];
  const repeats: RepeatedKey[] = [];
  let offset = 0;
  while (offset < text.length) {
    const token = readToken(offset);
    const top = frames.at(-1);
    if (token === "{" || token === "[") {
      frames.push(openFrame(token));
      if (frames.length > options.maxDepth) return { tooDeep: true, repeats: [] };
    } else if (token === "}" || token === "]") {
      frames.pop();
    } else if (token === "," && top !== undefined) {
      advance(top);
    } else if (token !== ":" && top?.awaitsKey === true && !isSkipped(token)) {
      noteKey(toName(token, options.decodeName), { frames, top, offset, repeats });
    }
    offset += token.length;
  }
  return { tooDeep: false, repeats };
}

function openFrame(bracket: "{" | "["): Frame {
  const isObject = bracket === "{";
  return {
    kind: isObject ? "object" : "list",
    offsets: new Map(),
    step: isObject ? "" : 0,
    awaitsKey: isObject,
  };
}

function advance(frame: Frame): void {
  if (typeof frame.step === "number") frame.step += 1;
  else frame.awaitsKey = true;
}

function noteKey(
  name: string,
  place: { frames: readonly Frame[]; top: Frame; offset: number; repeats: RepeatedKey[] },
): void {
  const { frames, top, offset, repeats } = place;
  top.step = name;
  top.awaitsKey = false;
  const firstOffset = top.offsets.get(name);
  if (firstOffset === undefined) top.offsets.set(name, offset);
  else repeats.push({ path: frames.map(({ step }) => step), offset, firstOffset });
}

const SPACE_OR_COMMENT = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$))+/y;
const QUOTED = /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?/y;
const BARE = /[^\s{}[\]:,"'/]+|\//y;

/** A token has at least one character, so that anyone who goes on by its length always ends. */
export function createTokenReader(text: string): (offset: number) => string {
  const patterns = [SPACE_OR_COMMENT, QUOTED, BARE].map((pattern) => new RegExp(pattern));
  return (offset) => {
    for (const pattern of patterns) {
      pattern.lastIndex = offset;
      const token = pattern.exec(text)?.[0];
      if (token) return token;
    }
    return text.charAt(offset);
  };
}

/** Spaces and comments. */
export function isSkipped(token: string): boolean {
  return /^(?:\s|\/[/*])/.test(token);
}

/** `decode` is asked only for a name with escapes. */
export function toName(token: string, decode: (raw: string) => string): string {
  if (token.includes("\\")) return decode(token);
  return /^["']/.test(token) ? token.slice(1, -1) : token;
}
