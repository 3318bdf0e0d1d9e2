// A call of a defined tool in the bare registry: its arguments are read, it runs under a deadline,
// its result is bounded. Policy, hooks, budgets and the journal are for `invoke.ts`.

import { cutChars } from "../../lib/unicode-text.js";
import type { ToolDefinition } from "../define-tool.js";
import { abortError, ToolError, toToolError } from "../errors.js";
import { errorResult } from "../results.js";
import type { ToolResult, ToolUpdateCallback } from "../tool.js";
import { boundResult } from "./bound.js";
import { type CallableContext, createCallableFactory, type RunPorts } from "./callable.js";
import { runWithDeadline } from "./deadline.js";
import { executeCall } from "./execute.js";

/** Characters of an error's message that the model gets to see. */
const MAX_ERROR_CHARS = 4_000;

export interface RunRequest extends CallableContext {
  readonly definition: ToolDefinition;
  readonly toolCallId: string;
  readonly params: unknown;
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: ToolUpdateCallback | undefined;
  readonly report: (problem: { message: string; cause: unknown }) => void;
}

/** Always answers with a result, `isError` when it failed; only an abort by the caller is thrown. */
export type RunDefinition = (request: RunRequest) => Promise<ToolResult>;

export function createRunDefinition(ports: RunPorts): RunDefinition {
  const callables = createCallableFactory(ports);

  return async (request) => {
    const { definition, toolCallId, signal, onUpdate, report } = request;
    const callable = callables.fromDefinition(definition, request);
    const { deadlineMs } = callable;
    try {
      const result = await runWithDeadline(
        async (ownSignal) => {
          const params = await callable.readArguments(request.params, ownSignal);
          // A caller who gave up while the schema was compiled must not cause an effect.
          if (ownSignal.aborted) throw abortError(ownSignal);
          return executeCall({ callable, toolCallId, params, signal: ownSignal, onUpdate, report });
        },
        { clock: ports.clock, deadlineMs, signal },
      );
      return boundResult(result, request.limits.resultChars);
    } catch (error) {
      if (signal?.aborted) throw abortError(signal);
      return toErrorResult(definition.name, error);
    }
  };
}

/** What a failed call answers; a message made of a whole file, say, is cut. */
export function toErrorResult(toolName: string, thrown: unknown): ToolResult {
  const error = toToolError(thrown);
  if (error.message.length <= MAX_ERROR_CHARS) return errorResult(toolName, error);
  const message = `${cutChars(error.message, MAX_ERROR_CHARS)} … (${error.message.length} characters)`;
  const { code, reason, details, cause } = error;
  return errorResult(toolName, new ToolError(code, message, { reason, details, cause }));
}
