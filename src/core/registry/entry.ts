// One entry of a registry: its metadata, and how it becomes tools in a context.

import { readField, readNumber } from "../../lib/read-field.js";
import {
  ATTACHED_PORTS,
  type ContextField,
  describeUnattached,
  findUnattached,
  isToolDefinition,
  type ToolDefinition,
  type ToolFactory,
  type ToolLimits,
} from "../define-tool.js";
import { ToolInputError, toToolError } from "../errors.js";
import type { RunDefinition, RunRequest } from "../invoke/run-definition.js";
import { isThenable } from "../invoke/scope.js";
import { assertToolName, type Tool, type ToolContext, type ToolMeta } from "../tool.js";
import type { FaultCode, Outcome } from "./explain.js";

const DEFAULT_RESULT_CHARS = 50_000;
const MIN_RESULT_CHARS = 1_000;

const CONTEXT_HINTS: Readonly<Record<string, string>> = {
  bridge: 'bridge: createNodeBridge(root) from "clawtools/tools", or a bridge of your own',
  root: "root or workspaceDir, the folder the file tools may use",
  agentDir: "agentDir, root or workspaceDir, the folder the notes lie in",
};

const COMPANIONS: Readonly<Record<string, { readonly name: string; readonly without: string }>> = {
  exec: {
    name: "process",
    without:
      'every command is waited for, because process is not registered; createClawtools({ catalog: "all" }) has it',
  },
};

export type EntrySource = Tool | ToolFactory | ToolDefinition;

export interface Entry {
  readonly meta: ToolMeta;
  readonly source: EntrySource;
}

export interface EntryScope {
  readonly ctx: ToolContext;
  readonly run: RunDefinition;
  readonly report: RunRequest["report"];
  readonly offers?: RunRequest["offers"];
}

/** Never throws, whatever a factory or its tools do: what goes wrong is the outcome. */
export function resolveEntry(entry: Entry, options: EntryScope): Outcome {
  try {
    return resolveSource(entry.source, options);
  } catch (error) {
    return fault("tool_invalid", `it cannot be read: ${messageOf(error)}`, error);
  }
}

export function nameOf(tool: { readonly name: string }): string {
  try {
    const name: unknown = tool.name;
    return typeof name === "string" ? name : "";
  } catch {
    // A getter that answered at registration may throw later; the tool is then one of no name.
    return "";
  }
}

function resolveSource(source: EntrySource, options: EntryScope): Outcome {
  if (typeof source === "function") return resolveFactory(source, options);
  if (isToolDefinition(source)) return resolveDefinition(source, options);
  return { tools: [source], code: "ready", reason: "registered as it is" };
}

function resolveDefinition(definition: ToolDefinition, options: EntryScope): Outcome {
  const ctx = fillContext(options.ctx);
  const isMissing = (field: ContextField) => ctx[field] === undefined || ctx[field] === null;
  const unattached = findUnattached(definition, ctx);
  const missing = definition.needs.filter(
    (field) => isMissing(field) && !ATTACHED_PORTS.some((port) => port === field),
  );
  if (missing.length > 0) {
    const hints = missing.map((field) => CONTEXT_HINTS[field] ?? field);
    const reason = `missing: ${missing.join(", ")}. Pass ${hints.join("; ")}.`;
    return { tools: [], code: "missing_context", reason, missing };
  }
  const tools = [bindTool(definition, { ...options, ctx })];
  if (definition.awaits !== undefined) {
    const reason = `not built yet; waits for ${definition.awaits}`;
    return { tools, code: "not_built", reason };
  }
  if (unattached.length > 0) {
    const reason = describeUnattached(unattached);
    return { tools, code: "not_attached", reason, missing: unattached };
  }
  const { needsOneOf: choices = [] } = definition;
  if (choices.length > 0 && choices.every(isMissing)) {
    const reason = `every call will answer that it is unavailable: pass ${choices.join(" or ")} in the context.`;
    return { tools, code: "missing_context", reason, missing: choices };
  }
  return { tools, code: "ready", reason: describeReady(definition, options) };
}

function describeReady({ name }: ToolDefinition, { offers }: EntryScope): string {
  const companion = COMPANIONS[name];
  if (companion === undefined || offers?.(companion.name) !== false) return "ready";
  return `ready; ${companion.without}`;
}

export interface FactoryFault {
  readonly code: FaultCode | "declined";
  readonly reason: string;
  readonly cause?: unknown;
}

/** What a factory makes for a context, or why nothing comes of it. */
export function callFactory(
  factory: ToolFactory,
  ctx: ToolContext,
): { readonly made: readonly unknown[]; readonly fault?: FactoryFault } {
  let made: unknown;
  try {
    // A copy: what a factory does to its context must not reach the other tools.
    made = factory(fillContext(ctx));
  } catch (cause) {
    const reason = `its factory threw: ${messageOf(cause)}`;
    return { made: [], fault: { code: "factory_threw", reason, cause } };
  }
  if (isThenable(made)) {
    // No one will wait for it, so its failure must not become an unhandled rejection.
    made.then(undefined, () => undefined);
    const reason =
      "its factory is async: await what it needs first, and return the tool itself from the factory";
    const cause = new ToolInputError(reason, { reason: "factory_async" });
    return { made: [], fault: { code: "factory_async", reason, cause } };
  }
  const list = Array.isArray(made) ? [...made] : made ? [made] : [];
  if (list.length > 0) return { made: list };
  const reason = "its factory gave no tool for this context";
  return { made: [], fault: { code: "declined", reason } };
}

function resolveFactory(factory: ToolFactory, options: EntryScope): Outcome {
  const { made, fault: nothing } = callFactory(factory, options.ctx);
  if (nothing) return { tools: [], ...nothing };
  try {
    return readFactoryTools(made, options);
  } catch (error) {
    return fault("tool_invalid", `its factory gave no usable tool: ${messageOf(error)}`, error);
  }
}

function readFactoryTools(made: readonly unknown[], options: EntryScope): Outcome {
  const tools: Tool[] = [];
  let unbuilt: Outcome | undefined;
  for (const item of made) {
    if (isToolDefinition(item)) {
      const outcome = resolveDefinition(item, options);
      if (outcome.tools.length === 0) return outcome;
      if (outcome.code === "not_built") unbuilt = outcome;
      tools.push(...outcome.tools);
    } else {
      assertTool(item);
      tools.push(item);
    }
  }
  if (unbuilt) return { ...unbuilt, tools };
  return { tools, code: "ready", reason: "made by its factory" };
}

function fault(code: FaultCode, reason: string, cause: unknown): Outcome {
  return { tools: [], code, reason, cause };
}

export function assertTool(value: unknown): asserts value is Tool {
  if (isThenable(value)) {
    throw new ToolInputError("A Promise is not a tool. Await it, then register the result.", {
      reason: "tool_is_promise",
    });
  }
  if (typeof value !== "object" || value === null) {
    throw new ToolInputError(
      `A tool is an object; received ${value === null ? "null" : typeof value}.`,
      {
        reason: "tool_invalid",
      },
    );
  }
  const name: unknown = Reflect.get(value, "name");
  assertToolName(name);
  if (typeof Reflect.get(value, "execute") !== "function") {
    throw new ToolInputError(`Tool "${name}" has no execute function.`, { reason: "tool_invalid" });
  }
  const parameters: unknown = Reflect.get(value, "parameters");
  if (typeof parameters !== "object" || parameters === null || Array.isArray(parameters)) {
    throw new ToolInputError(
      `Tool "${name}" has no parameters schema; give at least { type: "object", properties: {} }.`,
      { reason: "tool_invalid" },
    );
  }
}

function messageOf(error: unknown): string {
  return toToolError(error).message;
}

function fillContext(ctx: ToolContext): ToolContext {
  const root = ctx.root ?? ctx.workspaceDir;
  const agentDir = ctx.agentDir ?? root;
  return {
    ...ctx,
    ...(root === undefined ? {} : { root }),
    ...(agentDir === undefined ? {} : { agentDir }),
  };
}

function bindTool(definition: ToolDefinition, options: EntryScope): Tool {
  const { run, report, offers, ctx } = options;
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

/** `limits.resultChars` of the config; what is not a sensible number leaves the default in force. */
function readLimits({ config }: ToolContext): ToolLimits {
  const chars = readNumber(readField(config, "limits"), "resultChars") ?? 0;
  const isUsable = Number.isInteger(chars) && chars >= MIN_RESULT_CHARS;
  return Object.freeze({ resultChars: isUsable ? chars : DEFAULT_RESULT_CHARS });
}
