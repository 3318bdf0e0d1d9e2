// Where each value of a JSON5 text begins and ends, so that one can be changed and the rest stays as
// it is. The text is known to be valid; anyone who edits checks the result against the parser again.

import { createTokenReader, isSkipped, toName } from "../file/parse-text.js";
import type { Step } from "../problem.js";

export interface TextEntry {
  /** A name in an object, an index in a list. */
  readonly step: Step;
  /** Where the name begins; in a list where the value does. */
  readonly start: number;
  readonly value: TextNode;
  /** Behind the comma that follows; undefined without one. */
  readonly commaEnd: number | undefined;
}

export interface TextNode {
  readonly kind: "object" | "list" | "leaf";
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
  /** Of an object or a list, in the order of the text. */
  readonly entries: readonly TextEntry[];
}

interface Reader {
  readonly text: string;
  /** The name that a key with escapes means. */
  readonly decodeName: (raw: string) => string;
  readonly readToken: (offset: number) => string;
  offset: number;
}

/** undefined when the text is not read to its end: then it is not as the parser sees it. */
export function parseTextTree(
  text: string,
  decodeName: (raw: string) => string,
): TextNode | undefined {
  const reader: Reader = { text, decodeName, readToken: createTokenReader(text), offset: 0 };
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
  while (peek(reader) !== closing) {
    const entry = readEntry(reader, kind === "list" ? entries.length : undefined);
    if (entry === undefined) return undefined;
    entries.push(entry);
    if (entry.commaEnd === undefined && peek(reader) !== closing) return undefined;
  }
  reader.offset += 1;
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

/** The next token that is neither space nor comment, and the offset moved to it; "" at the end. */
function peek(reader: Reader): string {
  for (;;) {
    if (reader.offset >= reader.text.length) return "";
    const token = reader.readToken(reader.offset);
    if (!isSkipped(token)) return token;
    reader.offset += token.length;
  }
}
