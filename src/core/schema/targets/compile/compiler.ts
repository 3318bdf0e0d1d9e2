// A compiler that remembers: a tool list goes out at every turn of an agent, and its schemas hardly
// ever change.

import type { DescribedTool } from "../../extract.js";
import { isRecord } from "../../json-value.js";
import type { Schema } from "../../keywords.js";
import type { LintFault } from "../lint/lint.js";
import type { Aliases } from "../publish-aliases.js";
import type { SchemaTarget } from "../target.js";
import { type CompiledParameters, compileParameters } from "./parameters.js";
import { type CompiledSchema, describe, type SchemaOptions } from "./schema.js";
import {
  type CompiledTools,
  collectTools,
  type LintedSchema,
  lintCompiled,
  type ToolListOptions,
} from "./tools.js";

export interface SchemaCompiler {
  compileSchema(tool: DescribedTool, target: SchemaTarget, options?: SchemaOptions): CompiledSchema;
  compileTools<T extends DescribedTool>(
    tools: readonly T[],
    target: SchemaTarget,
    options?: ToolListOptions<T>,
  ): CompiledTools<T>;
}

/** What was made of one schema object, and the parts of it by which a change is seen. */
interface Memo {
  readonly properties: unknown;
  readonly required: unknown;
  readonly compiled: CompiledParameters;
  readonly faults: readonly LintFault[];
}

interface Order {
  readonly target: SchemaTarget;
  readonly aliases: Aliases;
}

/**
 * Its memory dies with the schemas it belongs to, so there is nothing to close. Another `properties`
 * or `required` object is seen; to change something deeper, replace the schema.
 */
export function createSchemaCompiler(): SchemaCompiler {
  const memory = new WeakMap<Schema, Map<string, Memo>>();

  function compile(tool: DescribedTool, order: Order): LintedSchema {
    const { parameters } = tool;
    const memo = recall(parameters, order) ?? make(parameters, order);
    return { compiled: describe(tool, memo.compiled), faults: memo.faults };
  }

  function recall(parameters: unknown, order: Order): Memo | undefined {
    if (!isRecord(parameters)) return undefined;
    const memo = memory.get(parameters)?.get(keyOf(order));
    const isCurrent =
      memo?.properties === parameters.properties && memo?.required === parameters.required;
    return isCurrent ? memo : undefined;
  }

  function make(parameters: unknown, order: Order): Memo {
    const compiled = compileParameters({ parameters, ...order });
    const faults = lintCompiled(compiled, order.target);
    const source = isRecord(parameters) ? parameters : {};
    const memo = { properties: source.properties, required: source.required, compiled, faults };
    const known = memory.get(source) ?? new Map<string, Memo>();
    memory.set(source, known.set(keyOf(order), memo));
    return memo;
  }

  return {
    compileSchema: (tool, target, options = {}) =>
      compile(tool, { target, aliases: options.aliases ?? {} }).compiled,
    compileTools: (tools, target, options = {}) =>
      collectTools({
        tools,
        target,
        compile: (tool) => compile(tool, { target, aliases: options.aliasesOf?.(tool) ?? {} }),
      }),
  };
}

function keyOf({ target, aliases }: Order): string {
  const entries = Object.entries(aliases);
  return entries.length === 0 ? target : `${target} ${JSON.stringify(entries)}`;
}
