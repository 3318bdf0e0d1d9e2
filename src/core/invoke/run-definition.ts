// A call of a defined tool in the bare registry: no policy, hooks, budgets or journal.

import { cutChars } from "../../lib/unicode-text.js";
import type { ToolDefinition } from "../define-tool.js";
import { abortError, ToolError, toToolError } from "../errors.js";
import type { Turn } from "../files/with-files.js";
import type { Clock, RunPorts } from "../ports/run-ports.js";
import { errorResult } from "../results.js";
import type { ToolResult, ToolUpdateCallback } from "../tool.js";
import { neutralizeText } from "../untrusted/neutralize.js";
import { createUntrustedWrapper, showNotices, type UntrustedWrapper } from "../untrusted/wrap.js";
import { type Callable, type CallableContext, createCallableFactory } from "./callable.js";
import { executeCall } from "./execute.js";
import {
  type AbortRelay,
  createAbortRelay,
  createCallScope,
  readingLimit,
  toolDeadline,
} from "./scope.js";
import { boundResult, wrapResult } from "./show-result.js";

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
  const wrap = createUntrustedWrapper(ports);
  const relay = createAbortRelay();

  return async (request) => {
    const { definition, signal } = request;
    try {
      const result = await runLimited(callables.fromDefinition(definition, request), {
        ...request,
        clock: ports.clock,
        relay,
        wrap,
      });
      return showNotices(wrapResult(boundResult(result, request.limits.resultChars), wrap));
    } catch (error) {
      if (signal?.aborted) throw abortError(signal);
      return toErrorResult(definition.name, error);
    }
  };
}

async function runLimited(
  callable: Callable,
  request: RunRequest & {
    readonly clock: Clock;
    readonly relay: AbortRelay;
    readonly wrap: UntrustedWrapper;
  },
): Promise<ToolResult> {
  const { toolCallId, onUpdate, report, clock, relay } = request;
  const scope = createCallScope({ clock, signal: request.signal, relay });
  const { signal } = scope;
  let place: Turn | undefined;
  try {
    const params = await scope.within(readingLimit(callable.deadlineMs), () =>
      callable.readArguments(request.params, { signal }),
    );
    place = callable.lineUp?.();
    const { wrap } = request;
    // Awaited here: a caller who gave up while the schema was compiled must not cause an effect.
    return await scope.within(toolDeadline(callable.deadlineMs), () =>
      executeCall({ callable, toolCallId, params, signal, place, onUpdate, report, wrap }),
    );
  } finally {
    place?.leave();
    scope.close();
  }
}

export function toErrorResult(toolName: string, thrown: unknown): ToolResult {
  const error = toToolError(thrown);
  const message = neutralizeText(cutMessage(error.message));
  if (message === error.message) return errorResult(toolName, error);
  const { code, reason, details, cause } = error;
  return errorResult(toolName, new ToolError(code, message, { reason, details, cause }));
}

function cutMessage(message: string): string {
  if (message.length <= MAX_ERROR_CHARS) return message;
  return `${cutChars(message, MAX_ERROR_CHARS)} … (${message.length} characters)`;
}
