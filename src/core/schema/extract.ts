// The tool list as model APIs take it. Schemas are frozen and cached by the tool's schema object.

import { isToolError, type ToolError, ToolInputError } from "../errors.js";
import { cleanSchemaForGemini } from "./gemini.js";
import { copyJson, deepFreeze, isRecord, showText } from "./json-value.js";
import { assertWellFormedSchema, type Schema } from "./keywords.js";
import { assertSchemaWithinLimits, unreadableSchema } from "./limits.js";
import { foldSchema } from "./normalize.js";
import { assertRefsResolve } from "./refs.js";
import { createSchemaCache } from "./schema-cache.js";

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

/** Module-level cache: the same schema object must give the same frozen result. */
const cached = createSchemaCache<Schema>();

/** Throws a ToolInputError that names the tool when its schema cannot be used. */
export function extractToolSchema(tool: DescribedTool): ToolSchema {
  return toToolSchema(tool, "plain");
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
  return tools.flatMap((tool) => {
    try {
      return [toToolSchema(tool, dialect)];
    } catch (error) {
      if (options.onQuarantine === undefined || !isToolError(error)) throw error;
      options.onQuarantine(tool, error);
      return [];
    }
  });
}

function toToolSchema(tool: DescribedTool, dialect: Dialect): ToolSchema {
  const { name, description, parameters } = readTool(tool);
  try {
    const make = () => makeSchema(parameters, dialect);
    return { name, description, input_schema: cached({ schema: parameters, key: dialect, make }) };
  } catch (error) {
    throw namedError(name, isToolError(error) ? error : unreadableSchema(error));
  }
}

function readTool(tool: DescribedTool): DescribedTool {
  try {
    const { name, description, parameters } = tool;
    return { name, description, parameters };
  } catch (cause) {
    throw new ToolInputError(
      "A tool must be an object with name, description and parameters that can be read.",
      { reason: "tool_invalid", cause },
    );
  }
}

function assertCall(call: Readonly<Record<"tools" | "providerOrApi" | "options", unknown>>): void {
  const { tools, providerOrApi, options } = call;
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

export function namedError(name: unknown, cause: ToolError): ToolInputError {
  return new ToolInputError(`Tool ${showText(String(name))}: ${cause.message}`, {
    reason: cause.reason,
    cause,
    details: cause.details,
  });
}
