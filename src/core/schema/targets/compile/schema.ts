// `compileSchema`: what one model API is told of one tool.

import type { DescribedTool } from "../../extract.js";
import type { Aliases } from "../publish-aliases.js";
import type { SchemaChange } from "../report.js";
import type { SchemaTarget } from "../target.js";
import { type CompiledParameters, compileParameters } from "./parameters.js";

export interface CompiledSchema {
  readonly name: string;
  readonly description: string;
  /** Deeply frozen. */
  readonly schema: Record<string, unknown>;
  /** What was dropped or changed against the tool's own schema. */
  readonly report: readonly SchemaChange[];
  /** Only for `openai-strict`; false where the tool is sent by the rules of `openai` instead. */
  readonly strict?: boolean;
}

export interface SchemaOptions {
  /** Other spellings of parameters to publish: `{ file_path: "path" }`. */
  readonly aliases?: Aliases | undefined;
}

/** Throws a ToolInputError or a ToolError `limit` when the schema cannot be compiled. */
export function compileSchema(
  tool: DescribedTool,
  target: SchemaTarget,
  options: SchemaOptions = {},
): CompiledSchema {
  const aliases = options.aliases ?? {};
  return describe(tool, compileParameters({ parameters: tool.parameters, target, aliases }));
}

/** A tool without a description is described by its name: some APIs demand one. */
export function describe(tool: DescribedTool, compiled: CompiledParameters): CompiledSchema {
  const { name, description } = tool;
  const isDescribed = typeof description === "string" && description.trim() !== "";
  return { name, description: isDescribed ? description : name, ...compiled };
}
