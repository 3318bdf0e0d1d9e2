// Runs a defined tool from raw arguments to a bounded result: stages 3, 4, 7 and 8 of a call.
// Policy, hooks, budgets and the journal stand around this and are not needed by the bare registry.

import { cutChars } from "../../lib/unicode-text.js";
import type { Execute, ToolDefinition, ToolLimits } from "../define-tool.js";
import { abortError, ToolError, toToolError } from "../errors.js";
import type { Clock, RandomSource } from "../ports/clock.js";
import type { TimeGuard } from "../ports/time-guard.js";
import { errorResult } from "../results.js";
import type { ToolContext, ToolResult, ToolUpdate, ToolUpdateCallback } from "../tool.js";
import { boundResult } from "./bound.js";
import { runWithDeadline } from "./deadline.js";
import { createPrepare, type Prepare } from "./prepare.js";
import { createValidate, type Validate } from "./validate.js";

/** Characters of an error's message that the model gets to see. */
const MAX_ERROR_CHARS = 4_000;

/** What every run needs from outside core. */
export interface RunPorts {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly guard: TimeGuard;
}

export interface RunRequest {
  readonly definition: ToolDefinition;
  readonly ctx: ToolContext;
  readonly limits: ToolLimits;
  readonly toolCallId: string;
  readonly params: unknown;
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: ToolUpdateCallback | undefined;
  /** Told when the caller's own `onUpdate` throws; the call goes on without it. */
  readonly report: (problem: { message: string; cause: unknown }) => void;
}

/** Always answers with a result, `isError` when it failed; only an abort by the caller is thrown. */
export type RunDefinition = (request: RunRequest) => Promise<ToolResult>;

interface Compiled {
  readonly prepare: Prepare;
  readonly validate: Validate;
  readonly execute: Execute;
}

/** Schemas are compiled and implementations loaded at a tool's first call, once per runner. */
export function createRunDefinition(ports: RunPorts): RunDefinition {
  const compiled = new WeakMap<ToolDefinition, Promise<Compiled>>();

  function compile(definition: ToolDefinition): Promise<Compiled> {
    const known = compiled.get(definition);
    if (known) return known;
    const fresh = compileDefinition(definition, ports.guard);
    compiled.set(definition, fresh);
    // A failed load (a missing optional package, say) is tried again at the next call.
    fresh.catch(() => compiled.delete(definition));
    return fresh;
  }

  return async (request) => {
    const { definition, signal } = request;
    try {
      assertCallable(definition, request.ctx);
      const result = await runWithDeadline((ownSignal) => runStages(request, ownSignal), {
        clock: ports.clock,
        deadlineMs: definition.deadlineMs,
        signal,
      });
      return boundResult(result, request.limits.resultChars);
    } catch (error) {
      if (signal?.aborted) throw abortError(signal);
      return errorResult(definition.name, withBoundedMessage(toToolError(error)));
    }
  };

  async function runStages(request: RunRequest, signal: AbortSignal): Promise<ToolResult> {
    const { prepare, validate, execute } = await compile(request.definition);
    const params = await validate(prepare(request.params));
    // A caller who gave up while the schema was compiled must not cause an effect.
    if (signal.aborted) throw abortError(signal);
    return runExecute({ execute, params, request, ports, signal });
  }
}

async function compileDefinition(definition: ToolDefinition, guard: TimeGuard): Promise<Compiled> {
  const prepare = createPrepare(definition);
  const [validate, { execute }] = await Promise.all([
    createValidate(definition, guard),
    definition.load(),
  ]);
  return { prepare, validate, execute };
}

function assertCallable(definition: ToolDefinition, ctx: ToolContext): void {
  // What is not built says so first, and names what it will need.
  if (definition.awaits !== undefined) return;
  const missing = definition.needsToCall.filter(
    (field) => ctx[field] === undefined || ctx[field] === null,
  );
  if (missing.length === 0) return;
  throw new ToolError(
    "unavailable",
    `${definition.name} needs ${missing.join(", ")} in the context; pass it when you resolve the tool.`,
    { reason: "missing_context", details: { missing } },
  );
}

async function runExecute(run: {
  execute: Execute;
  params: unknown;
  request: RunRequest;
  ports: RunPorts;
  signal: AbortSignal;
}): Promise<ToolResult> {
  const { execute, params, request, ports, signal } = run;
  const { definition, onUpdate, report } = request;
  const ctx = { ...request.ctx, clock: ports.clock, random: ports.random, limits: request.limits };
  let silent = false;
  const update = (partial: ToolUpdate) => {
    if (silent || signal.aborted) return;
    try {
      onUpdate?.(partial);
    } catch (cause) {
      silent = true;
      const message = `onUpdate of a ${definition.name} call threw; it gets no more updates.`;
      report({ message, cause });
    }
  };
  try {
    // The arguments have passed the schema and the context its needs: the call is what the
    // definition promised its implementation, which no type can show here.
    const call = { id: request.toolCallId, params, ctx, signal, update } as never;
    const result: unknown = await execute(call);
    assertToolResult(result, definition.name);
    return result;
  } finally {
    silent = true;
  }
}

/** A message made of a whole file, say, must not get past the bound as an error. */
function withBoundedMessage(error: ToolError): ToolError {
  if (error.message.length <= MAX_ERROR_CHARS) return error;
  const message = `${cutChars(error.message, MAX_ERROR_CHARS)} … (${error.message.length} characters)`;
  const { code, reason, details, cause } = error;
  return new ToolError(code, message, { reason, details, cause });
}

function assertToolResult(value: unknown, toolName: string): asserts value is ToolResult {
  const content: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "content") : undefined;
  if (Array.isArray(content) && content.every(isContentBlock)) return;
  throw new ToolError(
    "internal",
    `${toolName} gave back something that is no tool result; it must return { content: [text or image blocks] }.`,
    { reason: "result_invalid" },
  );
}

function isContentBlock(block: unknown): boolean {
  if (typeof block !== "object" || block === null) return false;
  const type: unknown = Reflect.get(block, "type");
  if (type === "text") return typeof Reflect.get(block, "text") === "string";
  return type === "image" && typeof Reflect.get(block, "data") === "string";
}
