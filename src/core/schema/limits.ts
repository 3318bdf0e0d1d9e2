// Size limits of schemas and arguments, with walkers that stop at the first excess.

import { findJsonExcess } from "../../lib/json/json-size.js";
import { isToolError, ToolError, ToolInputError } from "../errors.js";
import { isRecord, showPath, toRecord } from "./json-value.js";
import { listSchemas, type Schema } from "./keywords.js";
import { MAX_ALL_PATTERN_CHARS, MAX_PATTERN_CHARS, weighPattern } from "./pattern.js";

/** Objects and arrays inside each other. */
export const MAX_SCHEMA_DEPTH = 64;
/** Every JSON value counts as one. */
export const MAX_SCHEMA_NODES = 10_000;
/** Keys and texts together. */
export const MAX_SCHEMA_CHARS = 1024 * 1024;
export const MAX_ARGUMENT_DEPTH = 128;
export const MAX_ARGUMENT_NODES = 100_000;
export const DEFAULT_MAX_ARGUMENT_CHARS = 16 * 1024 * 1024;
const FORBIDDEN_KEY = "__proto__";

interface SizeLimits {
  readonly subject: "schema" | "arguments";
  readonly is: "is" | "are";
  readonly it: "it" | "them";
  readonly maxDepth: number;
  readonly maxNodes: number;
  readonly maxChars: number;
}

const SCHEMA_LIMITS: SizeLimits = {
  subject: "schema",
  is: "is",
  it: "it",
  maxDepth: MAX_SCHEMA_DEPTH,
  maxNodes: MAX_SCHEMA_NODES,
  maxChars: MAX_SCHEMA_CHARS,
};

interface ArgumentLimitOptions {
  /** Characters of all keys and texts together; 16 MiB when absent. */
  readonly maxChars?: number;
}

/** Throws a ToolError `limit`, or a ToolInputError when a part cannot be read or is not JSON. */
export function assertSchemaWithinLimits(schema: unknown): void {
  assertWithinLimits(schema, SCHEMA_LIMITS);
  try {
    if (isRecord(schema)) spendPatterns(schema, createPatternBudget());
  } catch (thrown) {
    if (isToolError(thrown)) throw thrown;
    throw unreadableSchema(thrown);
  }
}

/** Takes one pattern after the other; throws a ToolError `limit` when they are too long. */
export function createPatternBudget(): (source: string) => void {
  let remaining = MAX_ALL_PATTERN_CHARS;
  return (source) => {
    const chars = weighPattern(source);
    remaining -= chars;
    if (chars > MAX_PATTERN_CHARS) throw patternsTooLong("A pattern", MAX_PATTERN_CHARS);
    if (remaining < 0) throw patternsTooLong("All patterns together", MAX_ALL_PATTERN_CHARS);
  };
}

export function unreadableSchema(cause: unknown): ToolInputError {
  return new ToolInputError("The schema cannot be read; give plain JSON.", {
    reason: "schema_unreadable",
    cause,
  });
}

/** Throws a ToolError `limit`, or a ToolInputError for an own `__proto__` key or an unreadable part. */
export function assertArgumentsWithinLimits(
  value: unknown,
  options: ArgumentLimitOptions = {},
): void {
  assertWithinLimits(value, toArgumentLimits(options));
}

function toArgumentLimits(options: ArgumentLimitOptions): SizeLimits {
  return {
    subject: "arguments",
    is: "are",
    it: "them",
    maxDepth: MAX_ARGUMENT_DEPTH,
    maxNodes: MAX_ARGUMENT_NODES,
    maxChars: options.maxChars ?? DEFAULT_MAX_ARGUMENT_CHARS,
  };
}

function tooDeep(limits: SizeLimits): ToolError {
  return new ToolError(
    "limit",
    `The ${limits.subject} ${limits.is} nested deeper than ${limits.maxDepth} levels; make ${limits.it} flatter.`,
    { reason: `${limits.subject}_too_deep` },
  );
}

function tooLarge(limits: SizeLimits, what: "values" | "characters"): ToolError {
  const max = what === "values" ? limits.maxNodes : limits.maxChars;
  return new ToolError(
    "limit",
    `The ${limits.subject} ${limits.is} larger than ${max} ${what}; make ${limits.it} smaller.`,
    { reason: `${limits.subject}_too_large` },
  );
}

function spendPatterns(root: Schema, spend: (source: string) => void): void {
  for (const { pattern, patternProperties } of listSchemas(root)) {
    if (typeof pattern === "string") spend(pattern);
    Object.keys(toRecord(patternProperties)).forEach(spend);
  }
}

function patternsTooLong(what: string, max: number): ToolError {
  return new ToolError(
    "limit",
    `${what} of the schema may have at most ${max} characters; make it simpler.`,
    { reason: "schema_too_large" },
  );
}

interface Walk {
  readonly limits: SizeLimits;
  /** The containers that are open, and the keys that lead into them. */
  readonly holders: object[];
  readonly path: (string | number)[];
  nodes: number;
  chars: number;
}

function assertWithinLimits(root: unknown, limits: SizeLimits): void {
  const walk: Walk = { limits, holders: [], path: [], nodes: 0, chars: 0 };
  try {
    enter(walk, root);
  } catch (thrown) {
    if (isToolError(thrown)) throw thrown;
    // A getter or a proxy threw: whatever it threw, the value is one that cannot be used.
    throw new ToolInputError(
      `The ${limits.subject} cannot be read at "${showPath(walk.path)}"; send plain JSON.`,
      { reason: `${limits.subject}_unreadable`, cause: thrown },
    );
  }
}

/** Recursion is safe here: the depth is limited. */
function enter(walk: Walk, value: unknown): void {
  const { limits, holders } = walk;
  walk.nodes += 1;
  if (walk.nodes > limits.maxNodes) throw tooLarge(limits, "values");
  if (typeof value === "string") countChars(walk, value.length);
  if (ArrayBuffer.isView(value)) {
    if (limits.subject === "schema") throw bytesInSchema(walk);
    // Bytes have one key each; they count as text does, and are not walked.
    countChars(walk, value.byteLength);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (holders.includes(value)) throw cyclic(limits);
  if (holders.length >= limits.maxDepth) throw tooDeep(limits);
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const length = Array.isArray(value) ? value.length : (keys?.length ?? 0);
  // Before the walk, so that a list of billions of holes is not walked.
  if (walk.nodes + length > limits.maxNodes) throw tooLarge(limits, "values");
  holders.push(value);
  for (let index = 0; index < length; index += 1) enterMember(walk, value, keys?.[index] ?? index);
  holders.pop();
}

function enterMember(walk: Walk, holder: object, key: string | number): void {
  walk.path.push(key);
  if (typeof key === "string") {
    if (key === FORBIDDEN_KEY && walk.limits.subject === "arguments") throw forbiddenKey(walk);
    countChars(walk, key.length);
  }
  enter(walk, Reflect.get(holder, key));
  walk.path.pop();
}

function countChars(walk: Walk, count: number): void {
  walk.chars += count;
  if (walk.chars > walk.limits.maxChars) throw tooLarge(walk.limits, "characters");
}

function cyclic(limits: SizeLimits): ToolError {
  const { subject } = limits;
  const message = `The ${subject} ${limits.is} cyclic: an object holds itself.`;
  return new ToolError("limit", message, { reason: `${subject}_cyclic` });
}

function forbiddenKey(walk: Walk): ToolInputError {
  return new ToolInputError(`The key "__proto__" is not allowed, at "${showPath(walk.path)}".`, {
    reason: "forbidden_key",
  });
}

function bytesInSchema(walk: Walk): ToolInputError {
  return new ToolInputError(
    `The schema is not valid at "${showPath(walk.path)}": bytes are not JSON; give text.`,
    { reason: "schema_invalid" },
  );
}

/**
 * Throws a ToolError `limit` for text longer than `maxChars` or with too many levels or values, a
 * ToolInputError `json_invalid` for text that is not JSON.
 */
export function parseBoundedJson(text: string, maxChars: number): unknown {
  const limits = toArgumentLimits({ maxChars });
  if (text.length > limits.maxChars) throw tooLarge(limits, "characters");
  const { maxDepth, maxNodes: maxValues } = limits;
  const excess = findJsonExcess(text, { maxDepth, maxValues });
  if (excess === "depth") throw tooDeep(limits);
  if (excess === "values") throw tooLarge(limits, "values");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolInputError("The text is not valid JSON.", {
      reason: "json_invalid",
      cause: error,
    });
  }
}
