// Stage 7 of a call: run the tool, pass its progress on, and take nothing from it that is no result.
// The deadline and the caller's signal are around this, in `deadline.ts`.

import type { ToolResult, ToolUpdate, ToolUpdateCallback } from "../tool.js";
import type { Callable } from "./callable.js";
import { readToolResult } from "./read-result.js";

export interface ExecuteRequest {
  readonly callable: Callable;
  readonly toolCallId: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
  readonly onUpdate: ToolUpdateCallback | undefined;
  /** Told when the caller's own `onUpdate` fails; the call goes on without it. */
  readonly report: (problem: { message: string; cause: unknown }) => void;
}

export async function executeCall(request: ExecuteRequest): Promise<ToolResult> {
  const { callable, toolCallId, params, signal } = request;
  const updates = createUpdates(request);
  try {
    const result: unknown = await callable.run({
      toolCallId,
      params,
      signal,
      update: updates.send,
    });
    return readToolResult(result, callable.name);
  } finally {
    updates.end();
  }
}

function createUpdates({ callable, signal, onUpdate, report }: ExecuteRequest) {
  let isOver = false;
  const fail = (cause: unknown) => {
    isOver = true;
    const message = `onUpdate of a ${callable.name} call failed; it gets no more updates.`;
    report({ message, cause });
  };
  return {
    send(partial: ToolUpdate): void {
      if (isOver || signal.aborted || onUpdate === undefined) return;
      try {
        // Typed as void, but nothing keeps a caller from passing an async function.
        const answer: unknown = onUpdate(partial);
        if (answer instanceof Promise) answer.catch(fail);
      } catch (cause) {
        fail(cause);
      }
    },
    end(): void {
      isOver = true;
    },
  };
}
