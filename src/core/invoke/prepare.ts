// Stage 3: fixes known slips of models and refuses unknown keys. The next stage checks values.

import { foldSpelling } from "../../lib/letter-case.js";
import { nearestName, quoteName, shortestWith } from "../../lib/nearest-name.js";
import type { Synonyms } from "../define-tool.js";
import { ToolInputError } from "../errors.js";
import { copyPlain, isRecord, isSameJson } from "../schema/json-value.js";
import {
  assertArgumentsWithinLimits,
  DEFAULT_MAX_ARGUMENT_CHARS,
  parseBoundedJson,
} from "../schema/limits.js";
import { type FieldShape, type ObjectShape, readObjectShape } from "./argument-shape.js";
import { decodeEntities, decodeTexts, type TextEncoding } from "./request.js";

const MAX_SHOWN_NAME_CHARS = 80;

export type Prepare = (raw: unknown, encoding?: TextEncoding) => Record<string, unknown>;

export interface PrepareOptions {
  readonly parameters: Record<string, unknown>;
  readonly aliases: Readonly<Record<string, string>>;
  readonly synonyms?: Synonyms | undefined;
  readonly maxArgumentChars: number | undefined;
}

export function createPrepare(options: PrepareOptions): Prepare {
  const shape = readObjectShape(options.parameters, options.aliases);
  const maxChars = options.maxArgumentChars ?? DEFAULT_MAX_ARGUMENT_CHARS;
  return (raw, encoding = "plain") => {
    const read = encoding === "html" ? parseEncoded(raw, maxChars) : parseArguments(raw, maxChars);
    const given = assertNamedValues(read ?? {});
    assertArgumentsWithinLimits(given, { maxChars });
    const prepared = prepareObject(given, { shape, path: "" });
    return replaceSynonyms(prepared, { synonyms: options.synonyms ?? {}, shape });
  };
}

function parseArguments(raw: unknown, maxChars: number): unknown {
  return typeof raw === "string" ? parseJsonText(raw, maxChars) : raw;
}

function parseEncoded(raw: unknown, maxChars: number): unknown {
  if (typeof raw === "string" && /^\s*\{\s*&/.test(raw)) {
    return parseJsonText(decodeEntities(raw), maxChars);
  }
  const value = parseArguments(raw, maxChars);
  assertArgumentsWithinLimits(value, { maxChars });
  return decodeTexts(value);
}

function assertNamedValues(value: unknown): Record<string, unknown> {
  if (isRecord(value) && tagOf(value) === "Object") return value;
  const received = Array.isArray(value)
    ? "a list"
    : isRecord(value)
      ? tagOf(value)
      : `a ${typeof value}`;
  throw new ToolInputError(`Arguments must be an object of named values; received ${received}.`, {
    reason: "arguments_not_object",
  });
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

function parseJsonText(text: string, maxChars: number): unknown {
  if (text.trim() === "") return {};
  try {
    return parseBoundedJson(text, maxChars);
  } catch (error) {
    if (!isNotJson(error)) throw error;
    throw new ToolInputError(
      "Arguments came as text that is not valid JSON. Send one JSON object.",
      {
        reason: "arguments_not_json",
        cause: error,
      },
    );
  }
}

interface Place<Shape> {
  readonly shape: Shape;
  readonly path: string;
}

function prepareObject(given: Record<string, unknown>, place: Place<ObjectShape>) {
  const { shape, path } = place;
  const prepared: Record<string, unknown> = {};
  for (const key of Object.keys(given)) {
    const name = nameOf(key, shape);
    if (name === undefined && shape.closed) throw unknownKey(key, place);
    const field = name === undefined ? undefined : shape.fields.get(name);
    if (name === undefined || field === undefined) {
      prepared[key] = copyPlain(given[key]);
      continue;
    }
    const childPath = path === "" ? name : `${path}.${name}`;
    const value = prepareValue(given[key], { shape: field, path: childPath });
    const earlier = Object.hasOwn(prepared, name) ? prepared[name] : undefined;
    if (value === null && (earlier !== undefined || isDroppable(name, place))) continue;
    assertSameWhenTwice({ earlier, name, key, value });
    prepared[name] = value;
  }
  return prepared;
}

function nameOf(key: string, { fields, spellings, folded, closed }: ObjectShape) {
  if (fields.has(key)) return key;
  return spellings.get(key) ?? (closed ? folded.get(foldSpelling(key)) : undefined);
}

function replaceSynonyms(
  prepared: Record<string, unknown>,
  { synonyms, shape }: { readonly synonyms: Synonyms; readonly shape: ObjectShape },
): Record<string, unknown> {
  let fixed = prepared;
  for (const [name, words] of Object.entries(synonyms)) {
    const { [name]: value, ...others } = fixed;
    const word = typeof value === "string" ? value.trim().toLowerCase() : "";
    const meant = Object.hasOwn(words, word) ? words[word] : undefined;
    if (meant === undefined) {
      assertNoSlip({ name, word, words: shape.fields.get(name)?.words, others: words });
      continue;
    }
    const own = Object.hasOwn(meant, name) ? { [name]: meant[name] } : {};
    fixed = { ...meant, ...others, ...own };
  }
  return fixed;
}

function assertNoSlip(slip: {
  readonly name: string;
  readonly word: string;
  readonly words: FieldShape["words"];
  readonly others: Synonyms[string];
}): void {
  const { name, word, words, others } = slip;
  if (word === "" || words === undefined || words.has(word)) return;
  const nearest = nearestName(word, [...words.values(), ...Object.keys(others)]);
  if (nearest === undefined) return;
  const meant = words.has(nearest.toLowerCase())
    ? `"${nearest}"`
    : Object.entries(others[nearest] ?? {})
        .map(([field, value]) => `${field} ${JSON.stringify(value)}`)
        .join(", ");
  throw new ToolInputError(`Unknown ${name} "${shown(word)}"; did you mean ${meant}?`, {
    reason: "arguments_invalid",
    details: { parameter: name, nearest },
  });
}

function isDroppable(name: string, { shape }: Place<ObjectShape>): boolean {
  return shape.fields.get(name)?.nullable === false && !shape.required.has(name);
}

function assertSameWhenTwice(pair: {
  earlier: unknown;
  name: string;
  key: string;
  value: unknown;
}): void {
  const { earlier, name, key, value } = pair;
  if (earlier === undefined || earlier === null || isSameJson(earlier, value)) return;
  throw new ToolInputError(
    `"${shown(key)}" and "${name}" are the same parameter, but came with different values. Send only "${name}".`,
    { reason: "parameter_twice" },
  );
}

function unknownKey(key: string, { shape, path }: Place<ObjectShape>): ToolInputError {
  const known = [...shape.fields.keys()];
  const nearest =
    nearestName(key, known) ??
    shape.spellings.get(nearestName(key, shape.spellings.keys()) ?? "") ??
    shortestWith(key, known);
  const where = path === "" ? "" : ` in ${path}`;
  const hint = nearest
    ? `did you mean ${quoteName(nearest)}?`
    : known.length === 0
      ? "no parameters are taken."
      : `known: ${known.join(", ")}.`;
  return new ToolInputError(`Unknown parameter "${shown(key)}"${where}; ${hint}`, {
    reason: "unknown_parameter",
    details: { parameter: shown(key), nearest },
  });
}

function prepareValue(value: unknown, place: Place<FieldShape>): unknown {
  const { shape, path } = place;
  const fixed = typeof value === "string" ? fixText(value, shape) : fixScalar(value, shape);
  if (shape.item && Array.isArray(fixed)) {
    const item = shape.item;
    return fixed.map((element, index) =>
      prepareValue(element, { shape: item, path: `${path}[${index}]` }),
    );
  }
  return shape.object && isRecord(fixed)
    ? prepareObject(fixed, { shape: shape.object, path })
    : copyPlain(fixed);
}

function fixText(text: string, shape: FieldShape): unknown {
  if (shape.words) return shape.words.get(text.trim().toLowerCase()) ?? text;
  const fix = TEXT_FIXERS.get(shape.kind ?? "");
  return fix ? fix(text, shape) : text;
}

const TEXT_FIXERS: ReadonlyMap<string, (text: string, shape: FieldShape) => unknown> = new Map([
  ["number", (text) => toNumber(text)],
  ["integer", (text) => toNumber(text)],
  ["boolean", (text) => BOOLEAN_WORDS.get(text.trim().toLowerCase()) ?? text],
  ["object", (text) => toJsonOf(text, "{") ?? text],
  ["array", (text: string, shape: FieldShape) => toList(text, shape)],
]);

const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

function toNumber(text: string): unknown {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : text;
}

function toList(text: string, shape: FieldShape): unknown {
  const list = toJsonOf(text, "[");
  if (list !== undefined) return list;
  if (shape.item?.kind === "object") return fixScalar(toJsonOf(text, "{") ?? text, shape);
  return shape.item?.kind === "string" ? [text] : text;
}

function toJsonOf(text: string, opening: "{" | "["): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    const value = parseBoundedJson(text, text.length);
    assertArgumentsWithinLimits(value, { maxChars: text.length });
    return value;
  } catch (error) {
    if (isNotJson(error)) return undefined;
    throw error;
  }
}

function isNotJson(error: unknown): boolean {
  return error instanceof ToolInputError && error.reason === "json_invalid";
}

function fixScalar(value: unknown, shape: FieldShape): unknown {
  if (shape.kind === "string" && Array.isArray(value) && value.length === 1) {
    const [only] = value;
    if (typeof only === "string") return fixText(only, shape);
  }
  if (shape.kind === "array" && shape.item?.kind === "object" && isRecord(value)) return [value];
  return shape.kind === "string" && typeof value === "number" && Number.isFinite(value)
    ? String(value)
    : value;
}

function shown(key: string): string {
  return key.length <= MAX_SHOWN_NAME_CHARS ? key : `${key.slice(0, MAX_SHOWN_NAME_CHARS)}…`;
}
