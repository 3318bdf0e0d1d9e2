// A whole tool list for one target. A tool that the API would refuse is left out with its reason, so
// that it does not cost the others.

import { toToolError } from "../../../errors.js";
import type { DescribedTool } from "../../extract.js";
import { showReceived, showText } from "../../show-value.js";
import { type LintFault, lintSchema } from "../lint/lint.js";
import type { SchemaTarget } from "../target.js";
import type { CompiledParameters } from "./parameters.js";
import { type CompiledSchema, compileSchema, type SchemaOptions } from "./schema.js";

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

export interface ToolListOptions<T extends DescribedTool> {
  /** The spellings of a tool to publish; none when absent. */
  readonly aliasesOf?: ((tool: T) => SchemaOptions["aliases"]) | undefined;
}

/** Of two tools with one name the first is sent. */
export function compileTools<T extends DescribedTool>(
  tools: readonly T[],
  target: SchemaTarget,
  options: ToolListOptions<T> = {},
): CompiledTools<T> {
  const compile = (tool: T) => {
    const compiled = compileSchema(tool, target, { aliases: options.aliasesOf?.(tool) });
    return { compiled, faults: lintCompiled(compiled, target) };
  };
  return collectTools({ tools, target, compile });
}

export interface LintedSchema {
  readonly compiled: CompiledSchema;
  readonly faults: readonly LintFault[];
}

interface ToolList<T extends DescribedTool> {
  readonly tools: readonly T[];
  readonly target: SchemaTarget;
  /** May throw a ToolError. */
  readonly compile: (tool: T) => LintedSchema;
}

export function collectTools<T extends DescribedTool>(list: ToolList<T>): CompiledTools<T> {
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

/** The compiled schema, or why there is none. */
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
    // A foreign tool may throw anything when it is read; the others must not suffer from it.
    return toToolError(error).message;
  }
}

function explainFaults(faults: readonly LintFault[], target: SchemaTarget): string {
  const shown = faults.slice(0, MAX_SHOWN_FAULTS);
  const list = shown.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
  const rest = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : "";
  return `The schema would be refused by ${target}: ${list}${rest}.`;
}

/** A schema that could not be made strict is sent by the rules of `openai`. */
export function lintCompiled(compiled: CompiledParameters, target: SchemaTarget): LintFault[] {
  const isFallback = target === "openai-strict" && compiled.strict === false;
  return lintSchema(compiled.schema, isFallback ? "openai" : target);
}

interface NameRule {
  readonly pattern: RegExp;
  readonly words: string;
}

/** Why the target refuses the name; undefined when it takes it. */
function explainToolName(name: unknown, target: SchemaTarget): string | undefined {
  const { pattern, words } = NAME_RULES[target];
  if (typeof name === "string" && pattern.test(name)) return undefined;
  return `The tool name ${showReceived(name)} is refused by ${target}: use ${words}.`;
}
