// Tools as callers hand them over to be sent: compiled for an API, as a toolkit gives its schemas, or
// the tools themselves. What is none of these is refused by its name, not sent without parameters.

import { isToolError, ToolInputError } from "../errors.js";
import type { DescribedTool, ToolSchema } from "../schema/extract.js";
import { isRecord, showText } from "../schema/json-value.js";
import { type CompiledSchema, compileSchema } from "../schema/targets/compile-schema.js";
import { lintSchema } from "../schema/targets/lint.js";
import type { SchemaTarget } from "../schema/targets/target.js";

export type ListedTool = CompiledSchema | ToolSchema | DescribedTool;
export type SendableTool = Pick<CompiledSchema, "name" | "description" | "schema" | "strict">;

interface Sending {
  readonly writer: string;
  readonly target: SchemaTarget;
}

/** Throws a ToolInputError, or a ToolError `limit`, that names the tool which cannot be sent. */
export function readToolList(tools: readonly ListedTool[], sending: Sending): SendableTool[] {
  // Callers without types send anything.
  const list: unknown = tools;
  if (!Array.isArray(list)) {
    throw refused(sending, isRecord(list) && "compiled" in list ? HAS_COMPILED : "no list");
  }
  return list.map((tool: unknown, index) => readListed(tool, { ...sending, index }));
}

const HAS_COMPILED = "an object with compiled; pass that";

function readListed(tool: unknown, sending: Sending & { readonly index: number }): SendableTool {
  const { target, index } = sending;
  if (!isRecord(tool) || typeof tool.name !== "string" || tool.name === "") {
    throw refused(sending, `entry ${index}, which has no name`);
  }
  const { name, schema, input_schema: published, parameters, strict } = tool;
  const description = typeof tool.description === "string" ? tool.description : name;
  if (isRecord(schema)) {
    return { name, description, schema, ...(typeof strict === "boolean" ? { strict } : {}) };
  }
  if (isRecord(published) && lintSchema(published, target).length === 0) {
    return { name, description, schema: published };
  }
  const source = published ?? parameters;
  if (isRecord(source)) return compileNamed({ name, description, parameters: source }, target);
  throw refused(sending, `${showText(name)}, which has no schema, input_schema or parameters`);
}

function compileNamed(tool: DescribedTool, target: SchemaTarget): SendableTool {
  try {
    return compileSchema(tool, target);
  } catch (error) {
    if (!isToolError(error)) throw error;
    throw new ToolInputError(`Tool ${showText(tool.name)}: ${error.message}`, {
      reason: error.reason,
      cause: error,
    });
  }
}

function refused({ writer }: Sending, received: string): ToolInputError {
  return new ToolInputError(
    `${writer} takes a list of compiled schemas, of what toolkit.schemas() gives, or of tools; received ${received}.`,
    { reason: "tool_list_unknown" },
  );
}
