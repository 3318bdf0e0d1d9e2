// The tool list as model APIs take it. Schemas are frozen and cached by the tool's schema object.

import { isToolError, type ToolError, ToolInputError } from "../errors.js";
import { cleanSchemaForGemini } from "./gemini.js";
import { copyJson, deepFreeze, isRecord, showText } from "./json-value.js";
import { assertWellFormedSchema, type Schema } from "./keywords.js";
import { assertSchemaWithinLimits, unreadableSchema } from "./limits.js";
import { foldSchema } from "./normalize.js";
import { assertRefsResolve } from "./refs.js";

const GEMINI_PROVIDERS: ReadonlySet<string> = new Set([
  "google",
  "google-gemini-cli",
  "google-generative-ai",
  "google-vertex",
]);

export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

export interface ToolSchema {
  name: string;
  description: string;
  /** Frozen, and the same object at each call. */
  input_schema: Record<string, unknown>;
}

export interface ExtractOptions<T extends DescribedTool = DescribedTool> {
  /** Reported of each tool that is left out. Without it the first bad schema is thrown. */
  readonly onQuarantine?: (tool: T, error: ToolError) => void;
}

type Dialect = "plain" | "gemini";

interface Memo {
  readonly parameters: Schema | undefined;
  readonly properties: unknown;
  readonly required: unknown;
  readonly schema: Schema;
  readonly error: ToolError | undefined;
}

/** Module-level cache: the same schema object must give the same frozen result. */
const MEMOS: Readonly<Record<Dialect, WeakMap<object, Memo>>> = {
  plain: new WeakMap(),
  gemini: new WeakMap(),
};

/** Throws a ToolInputError that names the tool when its schema cannot be used. */
export function extractToolSchema(tool: DescribedTool): ToolSchema {
  const { memo, ...described } = readTool(tool, "plain");
  if (memo.error) throw memo.error;
  return { ...described, input_schema: memo.schema };
}

export function normalizeToolParameters<T extends DescribedTool>(tool: T): T {
  const { input_schema: parameters } = extractToolSchema(tool);
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { parameters });
}

export function extractToolSchemas<T extends DescribedTool>(
  tools: readonly T[],
  providerOrApi?: string,
  options: ExtractOptions<T> = {},
): ToolSchema[] {
  assertCall({ tools, providerOrApi, options });
  const dialect = toDialect(providerOrApi);
  const schemas: ToolSchema[] = [];
  for (const tool of tools) {
    const { name, description, memo } = readTool(tool, dialect);
    if (memo.error) {
      if (options.onQuarantine === undefined) throw memo.error;
      options.onQuarantine(tool, memo.error);
      continue;
    }
    schemas.push({ name, description, input_schema: memo.schema });
  }
  return schemas;
}

interface ReadTool {
  readonly name: string;
  readonly description: string;
  readonly memo: Memo;
}

function readTool(tool: DescribedTool, dialect: Dialect): ReadTool {
  try {
    const { name, description, parameters } = tool;
    const memo = readMemo(parameters, dialect);
    return { name, description, memo: memo.error ? badMemo(namedError(name, memo.error)) : memo };
  } catch (cause) {
    const error = new ToolInputError(
      "A tool must be an object with name, description and parameters that can be read.",
      { reason: "tool_invalid", cause },
    );
    return { name: "", description: "", memo: badMemo(error) };
  }
}

interface UncheckedCall {
  readonly tools: unknown;
  readonly providerOrApi: unknown;
  readonly options: unknown;
}

function assertCall({ tools, providerOrApi, options }: UncheckedCall): void {
  if (!Array.isArray(tools)) throw invalidCall("a list of tools");
  if (providerOrApi !== undefined && typeof providerOrApi !== "string") {
    throw invalidCall("the provider as text, or undefined");
  }
  if (options !== undefined && !isRecord(options)) throw invalidCall("options as an object");
}

function invalidCall(expected: string): ToolInputError {
  return new ToolInputError(`extractToolSchemas takes ${expected}.`, { reason: "options_invalid" });
}

function toDialect(providerOrApi: string | undefined): Dialect {
  if (providerOrApi === undefined) return "plain";
  return GEMINI_PROVIDERS.has(providerOrApi.trim().toLowerCase()) ? "gemini" : "plain";
}

function readMemo(parameters: unknown, dialect: Dialect): Memo {
  const memos = MEMOS[dialect];
  const isObject = typeof parameters === "object" && parameters !== null;
  const known = isObject ? memos.get(parameters) : undefined;
  if (known && isCurrent(known, parameters)) return known;
  const memo = makeMemo(parameters, dialect);
  if (memo.parameters) memos.set(memo.parameters, memo);
  return memo;
}

function isCurrent(memo: Memo, parameters: unknown): boolean {
  const source = memo.parameters;
  if (source === undefined || source !== parameters) return false;
  return source.properties === memo.properties && source.required === memo.required;
}

/** A bad schema has no `parameters` in its memo: it is tried again each time, because it may have been fixed. */
function makeMemo(parameters: unknown, dialect: Dialect): Memo {
  try {
    const schema = makeSchema(parameters, dialect);
    const source = isRecord(parameters) ? parameters : undefined;
    return {
      parameters: source,
      properties: source?.properties,
      required: source?.required,
      schema,
      error: undefined,
    };
  } catch (error) {
    return badMemo(isToolError(error) ? error : unreadableSchema(error));
  }
}

function badMemo(error: ToolError): Memo {
  return { parameters: undefined, properties: undefined, required: undefined, schema: {}, error };
}

function makeSchema(parameters: unknown, dialect: Dialect): Schema {
  assertSchemaWithinLimits(parameters);
  // First on the original: what follows may drop a reference that leads nowhere.
  if (isRecord(parameters)) assertRefsResolve(parameters);
  const normal = foldSchema(parameters);
  assertWellFormedSchema(normal);
  assertRefsResolve(normal);
  const schema = dialect === "gemini" ? cleanSchemaForGemini(normal) : copyJson(normal);
  return deepFreeze(isRecord(schema) ? schema : {});
}

function namedError(name: unknown, cause: ToolError): ToolInputError {
  return new ToolInputError(`Tool ${showText(String(name))}: ${cause.message}`, {
    reason: cause.reason,
    cause,
    details: cause.details,
  });
}
