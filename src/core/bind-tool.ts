// Joins a definition with a context: what comes out is a documented `Tool`.

import type { ContextField, ToolDefinition, ToolLimits } from "./define-tool.js";
import type { RunDefinition, RunRequest } from "./invoke/run-definition.js";
import type { Tool, ToolContext } from "./tool.js";

const DEFAULT_RESULT_CHARS = 50_000;
const MIN_RESULT_CHARS = 1_000;

export interface BindOptions {
  readonly ctx: ToolContext;
  readonly run: RunDefinition;
  readonly report: RunRequest["report"];
  readonly offers?: RunRequest["offers"];
}

/** The context with its documented defaults: `root` is the workspace, notes lie beside it. */
export function fillContext(ctx: ToolContext): ToolContext {
  const root = ctx.root ?? ctx.workspaceDir;
  const agentDir = ctx.agentDir ?? root;
  return {
    ...ctx,
    ...(root === undefined ? {} : { root }),
    ...(agentDir === undefined ? {} : { agentDir }),
  };
}

export function missingNeeds(definition: ToolDefinition, ctx: ToolContext): ContextField[] {
  const filled = fillContext(ctx);
  return definition.needs.filter((field) => filled[field] === undefined || filled[field] === null);
}

/** The caller has made sure that nothing is missing. */
export function bindTool(definition: ToolDefinition, options: BindOptions): Tool {
  const { run, report, offers } = options;
  const ctx = fillContext(options.ctx);
  const limits = readLimits(ctx);
  return {
    name: definition.name,
    label: definition.label ?? definition.name,
    description: definition.description,
    parameters: definition.parameters,
    ...(definition.ownerOnly ? { ownerOnly: true } : {}),
    execute: (toolCallId, params, signal, onUpdate) =>
      run({ definition, ctx, limits, offers, toolCallId, params, signal, onUpdate, report }),
  };
}

/** `limits.resultChars` of the config; what is no sensible number leaves the default in force. */
function readLimits(ctx: ToolContext): ToolLimits {
  const section: unknown = ctx.config?.limits;
  const chars: unknown =
    typeof section === "object" && section !== null
      ? Reflect.get(section, "resultChars")
      : undefined;
  const usable = typeof chars === "number" && Number.isInteger(chars) && chars >= MIN_RESULT_CHARS;
  return Object.freeze({ resultChars: usable ? chars : DEFAULT_RESULT_CHARS });
}
