// The words behind `clawtools browser act` as the fields of one act.

import { UsageError } from "../failure.js";
import type { ToolArguments } from "./with-caller.js";

const SAMPLE = "See `clawtools browser act --help`.";

type ReadWords = (words: readonly string[]) => ToolArguments;

const READERS: ReadonlyMap<string, ReadWords> = new Map<string, ReadWords>([
  ["click", ([ref]) => ({ ref })],
  ["hover", ([ref]) => ({ ref })],
  ["scrollIntoView", ([ref]) => ({ ref })],
  ["type", ([ref, ...text]) => ({ ref, text: text.join(" ") })],
  ["select", ([ref, ...values]) => ({ ref, values })],
  ["fill", (words) => ({ fields: words.map(readField) })],
  ["press", ([key, ref]) => ({ key, ref })],
  ["drag", ([startRef, endRef]) => ({ startRef, endRef })],
  ["wait", (words) => ({ text: words.join(" ") })],
  ["resize", ([width, height]) => ({ width, height })],
  ["evaluate", ([fn, ref]) => ({ fn, ref })],
  ["clickCoords", ([x, y]) => ({ x, y })],
  ["close", () => ({})],
]);

/** Throws a UsageError; whether the fields are right is left to the tool. */
export function readActWords(words: readonly string[]): ToolArguments {
  const [first = "", ...rest] = words;
  if (first.trimStart().startsWith("{")) return readJsonObject(first);
  const kind = [...READERS.keys()].find((one) => one.toLowerCase() === first.toLowerCase());
  const read = READERS.get(kind ?? "");
  if (read === undefined) {
    throw new UsageError(
      `"${first}" is no kind of act: ${[...READERS.keys()].join(", ")}. ${SAMPLE}`,
    );
  }
  const given = Object.entries(read(rest)).filter(([, value]) => value !== undefined);
  return { kind, ...Object.fromEntries(given) };
}

function readField(word: string): ToolArguments {
  const at = word.indexOf("=");
  if (at > 0) return { ref: word.slice(0, at), value: word.slice(at + 1) };
  throw new UsageError(`fill takes REF=TEXT, such as e3=Ann; received "${word}". ${SAMPLE}`);
}

/** Throws a UsageError. */
export function readJsonObject(text: string): ToolArguments {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`It is no JSON (${why}); write it in single quotes.`);
  }
  throw new UsageError('It must be a JSON object, such as {"kind":"click","ref":"e1"}.');
}
