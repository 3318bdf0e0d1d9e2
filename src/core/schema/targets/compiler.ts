// A schema compiler with a cache: tool lists are sent at every turn and rarely change.

import { ToolInputError, toToolError } from "../../errors.js";
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

interface Checked {
  readonly compiled: CompiledParameters;
  readonly faults: readonly LintFault[];
}

interface Order {
  readonly target: SchemaTarget;
  readonly aliases: Aliases | undefined;
}

export function createSchemaCompiler(): SchemaCompiler {
  const cached = createSchemaCache<Checked>();

  function check({ parameters }: DescribedTool, { target, aliases = {} }: Order): Checked {
    const make = () => {
      const compiled = compileParameters({ parameters, target, aliases });
      return { compiled, faults: lintCompiled(compiled, target) };
    };
    const spelled = Object.entries(aliases);
    const key = spelled.length === 0 ? target : `${target} ${JSON.stringify(spelled)}`;
    return cached({ schema: parameters, key, make });
  }

  return {
    compileSchema: (tool, target, { aliases } = {}) =>
      describe(tool, check(tool, { target, aliases }).compiled),
    compileTools<T extends DescribedTool>(
      tools: readonly T[],
      target: SchemaTarget,
      { aliasesOf }: ToolListOptions<T> = {},
    ) {
      const compiled: CompiledSchema[] = [];
      const quarantined: QuarantinedTool<T>[] = [];
      for (const tool of tools) {
        try {
          assertToolName(tool.name, { target, compiled });
          const checked = check(tool, { target, aliases: aliasesOf?.(tool) });
          assertAccepted(checked.faults, target);
          compiled.push(describe(tool, checked.compiled));
        } catch (error) {
          quarantined.push({ tool, reason: toToolError(error).message });
        }
      }
      return { compiled, quarantined };
    },
  };
}

export function compileTools<T extends DescribedTool>(
  tools: readonly T[],
  target: SchemaTarget,
  options: ToolListOptions<T> = {},
): CompiledTools<T> {
  return createSchemaCompiler().compileTools(tools, target, options);
}

function lintCompiled(compiled: CompiledParameters, target: SchemaTarget): LintFault[] {
  const isFallback = target === "openai-strict" && compiled.strict === false;
  return lintSchema(compiled.schema, isFallback ? "openai" : target);
}

function assertToolName(
  name: unknown,
  list: { readonly target: SchemaTarget; readonly compiled: readonly CompiledSchema[] },
): void {
  const { target, compiled } = list;
  const { pattern, words } = NAME_RULES[target];
  if (typeof name !== "string" || !pattern.test(name)) {
    throw new ToolInputError(
      `The tool name ${showReceived(name)} is refused by ${target}: use ${words}.`,
    );
  }
  if (compiled.some((other) => other.name === name)) {
    throw new ToolInputError(`Another tool is already called ${showText(name)}.`);
  }
}

function assertAccepted(faults: readonly LintFault[], target: SchemaTarget): void {
  if (faults.length === 0) return;
  const shown = faults.slice(0, MAX_SHOWN_FAULTS);
  const list = shown.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
  const rest = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : "";
  throw new ToolInputError(`The schema would be refused by ${target}: ${list}${rest}.`);
}
