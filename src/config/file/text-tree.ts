// Where each value of a valid JSON5 text begins and ends.

import { MAX_CONFIG_DEPTH } from "../parse.js";
import type { Step } from "../problem.js";

export interface TextEntry {
  readonly step: Step;
  readonly start: number;
  readonly value: TextNode;
  readonly commaEnd: number | undefined;
}

export interface TextNode {
  readonly kind: "object" | "list" | "leaf";
  readonly start: number;
  readonly end: number;
  readonly entries: readonly TextEntry[];
}

interface Reader {
  readonly text: string;
  readonly decodeName: (raw: string) => string;
  readonly readToken: (offset: number) => string;
  offset: number;
  depth: number;
}

/** `text` is valid JSON5; undefined when it is too deep. */
export function parseTextTree(
  text: string,
  decodeName: (raw: string) => string,
): TextNode | undefined {
  const reader: Reader = {
    text,
    decodeName,
    readToken: createTokenReader(text),
    offset: 0,
    depth: 0,
  };
  const node = readNode(reader);
  return node !== undefined && peek(reader) === "" ? node : undefined;
}

function readNode(reader: Reader): TextNode | undefined {
  const token = peek(reader);
  const start = reader.offset;
  if (token === "{") return readMany(reader, "object");
  if (token === "[") return readMany(reader, "list");
  if (token === "" || /^[}\],:]$/.test(token)) return undefined;
  reader.offset += token.length;
  return { kind: "leaf", start, end: reader.offset, entries: [] };
}

function readMany(reader: Reader, kind: "object" | "list"): TextNode | undefined {
  const start = reader.offset;
  const closing = kind === "object" ? "}" : "]";
  const entries: TextEntry[] = [];
  reader.offset += 1;
  reader.depth += 1;
  if (reader.depth > MAX_CONFIG_DEPTH) return undefined;
  while (peek(reader) !== closing) {
    const entry = readEntry(reader, kind === "list" ? entries.length : undefined);
    if (entry === undefined) return undefined;
    entries.push(entry);
    if (entry.commaEnd === undefined && peek(reader) !== closing) return undefined;
  }
  reader.offset += 1;
  reader.depth -= 1;
  return { kind, start, end: reader.offset, entries };
}

function readEntry(reader: Reader, index: number | undefined): TextEntry | undefined {
  const token = peek(reader);
  const start = reader.offset;
  let step: Step = index ?? "";
  if (index === undefined) {
    step = toName(token, reader.decodeName);
    reader.offset += token.length;
    if (peek(reader) !== ":") return undefined;
    reader.offset += 1;
  }
  const value = readNode(reader);
  if (value === undefined) return undefined;
  if (peek(reader) !== ",") return { step, start, value, commaEnd: undefined };
  reader.offset += 1;
  return { step, start, value, commaEnd: reader.offset };
}

function peek(reader: Reader): string {
  for (;;) {
    if (reader.offset >= reader.text.length) return "";
    const token = reader.readToken(reader.offset);
    if (!isSkipped(token)) return token;
    reader.offset += token.length;
  }
}

const SPACE_OR_COMMENT = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$))+/y;
const QUOTED = /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?/y;
const BARE = /[^\s{}[\]:,"'/]+|\//y;

/** A token has at least one character, so that anyone who goes on by its length always ends. */
function createTokenReader(text: string): (offset: number) => string {
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

function isSkipped(token: string): boolean {
  return /^(?:\s|\/[/*])/.test(token);
}

function toName(token: string, decode: (raw: string) => string): string {
  if (token.includes("\\")) return decode(token);
  return /^["']/.test(token) ? token.slice(1, -1) : token;
}
