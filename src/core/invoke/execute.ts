// Stage 7 of a call: run the tool, pass its progress on, and take nothing from it that is not a result.
// The deadline and the caller's signal are around this, in `scope/deadline.ts`.

import type { LinePlace } from "../files/call-line.js";
import type { ToolResult, ToolUpdate, ToolUpdateCallback } from "../tool.js";
import { type UntrustedWrapper, wrapUntrustedBlocks } from "../untrusted/wrap.js";
import type { Callable } from "./callable.js";
import { readToolResult } from "./result/read-result.js";

export interface ExecuteRequest {
  readonly callable: Callable;
  readonly toolCallId: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
  readonly place: LinePlace | undefined;
  readonly begin?: (() => Promise<unknown>) | undefined;
  readonly onUpdate: ToolUpdateCallback | undefined;
  /** Reported when the caller's own `onUpdate` fails; the call goes on without it. */
  readonly report: (problem: { message: string; cause: unknown }) => void;
  /** For progress that comes from outside. */
  readonly wrap: UntrustedWrapper;
}

export async function executeCall(request: ExecuteRequest): Promise<ToolResult> {
  const { callable, toolCallId, params, signal, place, begin } = request;
  const updates = createUpdates(request);
  try {
    const result: unknown = await callable.run({
      toolCallId,
      params,
      signal,
      update: updates.send,
      place,
      begin,
    });
    return readToolResult(result, callable.name);
  } finally {
    updates.end();
  }
}

function createUpdates({ callable, signal, onUpdate, report, wrap }: ExecuteRequest) {
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
        const answer: unknown = onUpdate(wrapUpdate(partial, { callable, wrap }));
        if (typeof answer === "object" && answer !== null) {
          Promise.resolve(answer).catch(fail);
        }
      } catch (cause) {
        fail(cause);
      }
    },
    end(): void {
      isOver = true;
    },
  };
}

/** Only what is marked is looked at: progress is frequent, and its shape is the tool's own. */
function wrapUpdate(
  partial: ToolUpdate,
  { callable, wrap }: Pick<ExecuteRequest, "callable" | "wrap">,
): ToolUpdate {
  if (partial?.untrusted === undefined) return partial;
  const read = readToolResult({ ...partial, content: partial.content ?? [] }, callable.name);
  const source = read.untrusted?.source ?? callable.name;
  return { ...read, content: wrapUntrustedBlocks(read.content, { source, wrap }) };
}
