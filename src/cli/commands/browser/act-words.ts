// The words behind `clawtools browser act` as the fields of one act.

import { toPrintable } from "../../../lib/unicode-text.js";
import { UsageError } from "../../failure.js";
import { REF, type ToolArguments } from "./parameters.js";

const SAMPLE = "See `clawtools browser act --help`.";

interface Reader {
  /** Maximum number of words; any number without it. */
  readonly most?: number;
  readonly read: (words: readonly string[]) => ToolArguments;
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["click", { most: 1, read: ([ref]) => ({ ref }) }],
  ["clickCoords", { most: 2, read: ([x, y]) => ({ x, y }) }],
  ["hover", { most: 1, read: ([ref]) => ({ ref }) }],
  ["scrollIntoView", { most: 1, read: ([ref]) => ({ ref }) }],
  [
    "scroll",
    { most: 1, read: ([to = "down"]) => (REF.test(to) ? { ref: to } : { direction: to }) },
  ],
  ["check", { most: 1, read: ([ref]) => ({ ref }) }],
  ["uncheck", { most: 1, read: ([ref]) => ({ ref }) }],
  ["type", { read: ([ref, ...text]) => ({ ref, text: joinWords(text) }) }],
  ["select", { read: ([ref, ...values]) => ({ ref, values: orNone(values) }) }],
  ["fill", { read: (words) => ({ fields: words.map(readField) }) }],
  ["press", { most: 2, read: ([key, ref]) => ({ key, ref }) }],
  ["drag", { most: 2, read: ([startRef, endRef]) => ({ startRef, endRef }) }],
  ["wait", { read: (words) => ({ text: joinWords(words) }) }],
  ["resize", { most: 2, read: ([width, height]) => ({ width, height }) }],
  ["evaluate", { most: 2, read: ([fn, ref]) => ({ fn, ref }) }],
  ["batch", { read: (words) => ({ actions: words.map(readJsonObject) }) }],
  ["close", { most: 0, read: () => ({}) }],
]);

/** Throws a UsageError; whether the fields are right is left to the tool. */
export function readActWords(words: readonly string[]): ToolArguments {
  const [first = "", ...rest] = words;
  if (first.trimStart().startsWith("{")) {
    if (rest.length > 0) {
      throw new UsageError(`A JSON request is one word; use batch for several. ${SAMPLE}`);
    }
    return readJsonObject(first);
  }
  const kind = [...READERS.keys()].find((one) => one.toLowerCase() === first.toLowerCase());
  const reader = READERS.get(kind ?? "");
  if (reader === undefined) {
    throw new UsageError(
      `Unknown action "${first}". Use one of ${[...READERS.keys()].join(", ")}. ${SAMPLE}`,
    );
  }
  const extra = reader.most === undefined ? undefined : rest[reader.most];
  if (extra !== undefined) {
    throw new UsageError(`Unexpected argument "${extra}" for ${kind}. ${SAMPLE}`);
  }
  const given = Object.entries(reader.read(rest)).filter(([, value]) => value !== undefined);
  return { kind, ...Object.fromEntries(given) };
}

/** undefined without words; an empty text is a word. */
function joinWords(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : words.join(" ");
}

/** An empty list would select nothing. */
function orNone(words: readonly string[]): readonly string[] | undefined {
  return words.length === 0 ? undefined : words;
}

function readField(word: string): ToolArguments {
  const at = word.indexOf("=");
  if (at > 0) return { ref: word.slice(0, at), value: word.slice(at + 1) };
  throw new UsageError(
    `fill takes REF=TEXT, such as e3=Ann, in quotes when it has spaces: 'e3=Ann Lee'; received "${word}". ${SAMPLE}`,
  );
}

/** Throws a UsageError. */
export function readJsonObject(text: string): ToolArguments {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `"${toPrintable(text, 80)}" is not valid JSON (${why}). Write it in single quotes.`,
    );
  }
  throw new UsageError('The request must be a JSON object, such as {"kind":"click","ref":"e1"}.');
}
