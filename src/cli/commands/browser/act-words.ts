// Reads the words of `clawtools browser act` as the fields of one act.

import { UsageError } from "../../failure.js";
import { parseJson } from "../../flags.js";
import { REF, type ToolArguments } from "./parameters.js";

const SAMPLE = "See `clawtools browser act --help`.";

type Words = readonly string[];

/** The fields that the words of a kind fill, or a function that reads any number of words. */
const KINDS: Readonly<Record<string, Words | ((words: Words) => ToolArguments)>> = {
  click: ["ref"],
  clickCoords: ["x", "y"],
  hover: ["ref"],
  scrollIntoView: ["ref"],
  scroll: ["direction"],
  check: ["ref"],
  uncheck: ["ref"],
  type: ([ref, ...text]) => ({ ref, text: joinWords(text) }),
  select: ([ref, ...values]) => ({ ref, values: values.length === 0 ? undefined : values }),
  fill: (words) => ({ fields: words.map(readField) }),
  press: ["key", "ref"],
  drag: ["startRef", "endRef"],
  wait: (words) => ({ text: joinWords(words) }),
  resize: ["width", "height"],
  evaluate: ["fn", "ref"],
  batch: (words) => ({ actions: words.map(readJsonObject) }),
  close: [],
};

export function readActWords(words: Words): ToolArguments {
  const [first = "", ...rest] = words;
  if (first.trimStart().startsWith("{")) {
    if (rest.length > 0) {
      throw new UsageError(`A JSON request is one word; use batch for several. ${SAMPLE}`);
    }
    return readJsonObject(first);
  }
  const names = Object.keys(KINDS);
  const kind = names.find((one) => one.toLowerCase() === first.toLowerCase()) ?? "";
  const fields = KINDS[kind];
  if (fields === undefined) {
    throw new UsageError(`Unknown action "${first}". Use one of ${names.join(", ")}. ${SAMPLE}`);
  }
  const read = typeof fields === "function" ? fields(rest) : readFields(fields, { kind, rest });
  const given = Object.entries(read).filter(([, value]) => value !== undefined);
  return { kind, ...Object.fromEntries(given) };
}

function readFields(
  fields: Words,
  { kind, rest }: { readonly kind: string; readonly rest: Words },
): ToolArguments {
  const extra = rest[fields.length];
  if (extra !== undefined) {
    throw new UsageError(`Unexpected argument "${extra}" for ${kind}. ${SAMPLE}`);
  }
  const [word = "down"] = rest;
  if (kind === "scroll") return REF.test(word) ? { ref: word } : { direction: word };
  return Object.fromEntries(fields.map((field, index) => [field, rest[index]]));
}

function joinWords(words: Words): string | undefined {
  return words.length === 0 ? undefined : words.join(" ");
}

function readField(word: string): ToolArguments {
  const at = word.indexOf("=");
  if (at > 0) return { ref: word.slice(0, at), value: word.slice(at + 1) };
  throw new UsageError(
    `fill takes REF=TEXT, such as e3=Ann, in quotes when it has spaces: 'e3=Ann Lee'; received "${word}". ${SAMPLE}`,
  );
}

export function readJsonObject(text: string): ToolArguments {
  const value = parseJson("The request", text);
  if (typeof value === "object" && value !== null) return { ...value };
  throw new UsageError('The request must be a JSON object, such as {"kind":"click","ref":"e1"}.');
}
