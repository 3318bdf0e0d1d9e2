// A call whose changes are remembered: it gets a bridge of its own, and its result says what of it
// cannot be undone.

import type { FsBridge } from "../ports/fs-bridge.js";
import type { CallRecording, CallToRecord, HistoryProblem } from "../ports/history.js";
import type { ToolContext, ToolResult } from "../tool.js";

/** Gives a call that may change files a bridge of its own; nothing when that cannot be. */
export type RecordCall = (
  call: CallToRecord,
  bridge: FsBridge,
) => Promise<CallRecording | undefined>;

export interface RecordedCall {
  readonly call: CallToRecord;
  readonly ctx: ToolContext;
}

export async function withRecording(
  record: RecordCall | undefined,
  { call, ctx }: RecordedCall,
  run: (ctx: ToolContext) => Promise<ToolResult>,
): Promise<ToolResult> {
  const recording = record && ctx.bridge ? await record(call, ctx.bridge) : undefined;
  if (!recording) {
    await call.begin?.();
    return run(ctx);
  }
  try {
    const result = await run({ ...ctx, bridge: recording.bridge });
    const problems = recording.problems();
    return problems.length === 0 ? result : withProblems(result, problems);
  } finally {
    await recording.end();
  }
}

function withProblems(result: ToolResult, problems: readonly HistoryProblem[]): ToolResult {
  const details: unknown = result?.details ?? {};
  if (typeof details !== "object" || details === null || Array.isArray(details)) return result;
  return { ...result, details: { ...details, undo: { available: false, problems } } };
}
