// A schema compiler with a cache: tool lists are sent at every turn and rarely change.

import { toToolError } from "../../errors.js";
import type { DescribedTool } from "../extract.js";
import { showReceived, showText } from "../json-value.js";
import { createSchemaCache } from "../schema-cache.js";
import {
  type Aliases,
  type CompiledParameters,
  type CompiledSchema,
  compileParameters,
  describe,
  type SchemaOptions,
} from "./compile-schema.js";
import { type LintFault, lintSchema } from "./lint.js";
import type { SchemaTarget } from "./target.js";

const COMMON: NameRule = {
  pattern: /^[a-zA-Z0-9_-]{1,64}$/,
  words: '1 to 64 letters, digits, "_" or "-"',
};

const NAME_RULES: Readonly<Record<SchemaTarget, NameRule>> = {
  generic: COMMON,
  openai: COMMON,
  "openai-strict": COMMON,
  anthropic: COMMON,
  gemini: {
    pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    words: 'a letter or "_", then at most 63 letters, digits, "_", ".", ":" or "-"',
  },
  mcp: {
    pattern: /^[a-zA-Z0-9_.-]{1,128}$/,
    words: '1 to 128 letters, digits, "_", "." or "-"',
  },
};

const MAX_SHOWN_FAULTS = 3;

export interface QuarantinedTool<T extends DescribedTool> {
  readonly tool: T;
  /** One sentence for people. */
  readonly reason: string;
}

export interface CompiledTools<T extends DescribedTool> {
  readonly compiled: CompiledSchema[];
  readonly quarantined: QuarantinedTool<T>[];
}

interface ToolListOptions<T extends DescribedTool> {
  readonly aliasesOf?: ((tool: T) => SchemaOptions["aliases"]) | undefined;
}

interface LintedSchema {
  readonly compiled: CompiledSchema;
  readonly faults: readonly LintFault[];
}

interface ToolList<T extends DescribedTool> {
  readonly tools: readonly T[];
  readonly target: SchemaTarget;
  readonly compile: (tool: T) => LintedSchema;
}

interface NameRule {
  readonly pattern: RegExp;
  readonly words: string;
}

export interface SchemaCompiler {
  compileSchema(tool: DescribedTool, target: SchemaTarget, options?: SchemaOptions): CompiledSchema;
  compileTools<T extends DescribedTool>(
    tools: readonly T[],
    target: SchemaTarget,
    options?: ToolListOptions<T>,
  ): CompiledTools<T>;
}

interface Compiled {
  readonly parameters: CompiledParameters;
  readonly faults: readonly LintFault[];
}

interface Order {
  readonly target: SchemaTarget;
  readonly aliases: Aliases;
}

export function createSchemaCompiler(): SchemaCompiler {
  const cached = createSchemaCache<Compiled>();

  function compile(tool: DescribedTool, order: Order): LintedSchema {
    const { parameters: schema } = tool;
    const make = () => {
      const parameters = compileParameters({ parameters: schema, ...order });
      return { parameters, faults: lintCompiled(parameters, order.target) };
    };
    const { parameters, faults } = cached({ schema, key: keyOf(order), make });
    return { compiled: describe(tool, parameters), faults };
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

export function compileTools<T extends DescribedTool>(
  tools: readonly T[],
  target: SchemaTarget,
  options: ToolListOptions<T> = {},
): CompiledTools<T> {
  return createSchemaCompiler().compileTools(tools, target, options);
}

function collectTools<T extends DescribedTool>(list: ToolList<T>): CompiledTools<T> {
  const compiled: CompiledSchema[] = [];
  const quarantined: QuarantinedTool<T>[] = [];
  const names = new Set<string>();
  for (const tool of list.tools) {
    const outcome = judge(tool, { ...list, names });
    if (typeof outcome === "string") {
      quarantined.push({ tool, reason: outcome });
    } else {
      names.add(outcome.name);
      compiled.push(outcome);
    }
  }
  return { compiled, quarantined };
}

function judge<T extends DescribedTool>(
  tool: T,
  list: ToolList<T> & { readonly names: ReadonlySet<string> },
): CompiledSchema | string {
  const { target, compile, names } = list;
  try {
    const problem = explainToolName(tool.name, target);
    if (problem !== undefined) return problem;
    if (names.has(tool.name)) return `Another tool is already called ${showText(tool.name)}.`;
    const { compiled, faults } = compile(tool);
    return faults.length === 0 ? compiled : explainFaults(faults, target);
  } catch (error) {
    return toToolError(error).message;
  }
}

function explainFaults(faults: readonly LintFault[], target: SchemaTarget): string {
  const shown = faults.slice(0, MAX_SHOWN_FAULTS);
  const list = shown.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
  const rest = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : "";
  return `The schema would be refused by ${target}: ${list}${rest}.`;
}

function lintCompiled(compiled: CompiledParameters, target: SchemaTarget): LintFault[] {
  const isFallback = target === "openai-strict" && compiled.strict === false;
  return lintSchema(compiled.schema, isFallback ? "openai" : target);
}

function explainToolName(name: unknown, target: SchemaTarget): string | undefined {
  const { pattern, words } = NAME_RULES[target];
  if (typeof name === "string" && pattern.test(name)) return undefined;
  return `The tool name ${showReceived(name)} is refused by ${target}: use ${words}.`;
}
