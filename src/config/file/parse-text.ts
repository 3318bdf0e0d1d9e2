// Parses JSON5. Errors name line and column, and never show the text around them.
import { lineNumberAt } from "../../lib/line-window.js";
import { MAX_CONFIG_DEPTH } from "../parse.js";
import { type KeyPath, type Step, showName } from "../problem.js";
import { parseTextTree, type TextNode } from "./text-tree.js";

type ParsedText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly faults: readonly TextFault[] };

interface TextFault {
  readonly path: KeyPath;
  /** As the end of a sentence that begins with the file's name. */
  readonly message: string;
}

type Parse = (text: string) => unknown;

export function parseText(text: string, parse: Parse): ParsedText {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    return fault(`is not valid JSON5 ${placeOf(error)}: ${whatOf(error)}`);
  }
  const root = parseTextTree(text, (raw) => decodeName(raw, parse));
  if (root === undefined) return fault(`is deeper than ${MAX_CONFIG_DEPTH} levels`);
  const faults = findRepeats(root, { text, path: [] });
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
}

function findRepeats(node: TextNode, at: { text: string; path: KeyPath }): TextFault[] {
  const offsets = new Map<Step, number>();
  return node.entries.flatMap(({ step, start, value }) => {
    const path = [...at.path, step];
    const inner = findRepeats(value, { ...at, path });
    const first = offsets.get(step);
    offsets.set(step, first ?? start);
    if (first === undefined) return inner;
    const lines = linesOf(at.text, [first, start]);
    return [{ path, message: `has the key ${showName(String(step))} twice${lines}` }, ...inner];
  });
}

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
