// `process poll`: what is new, after a wait for it if the call asks for one.

import { type ToolResult, textResult } from "../../../core/index.js";
import { describeSession, idleOf, tellState } from "../describe-session.js";
import type { SessionCall } from "../execute.js";

/** Room for the sentences around the output. */
const RESERVED_CHARS = 1_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

export async function poll({ call, run }: SessionCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  const maxChars = Math.max(0, ctx.limits.resultChars - RESERVED_CHARS);
  let news = run.output.take(maxChars);
  const timeoutMs = params.timeout ?? 0;
  if (news.text === "" && run.end === undefined && timeoutMs > 0) {
    await run.waitForChange({ timeoutMs, signal });
    signal.throwIfAborted();
    news = run.output.take(maxChars);
  }
  if (run.end !== undefined) run.acknowledge();
  const cut =
    news.omittedChars > 0
      ? `[process log with sessionId "${run.sessionId}" and offset ${news.omittedFromLine ?? 0} shows what is left out.]`
      : "";
  const parts = [news.text.trimEnd() || "(no new output)", cut, tellState(run)];
  const retryInMs = run.end === undefined ? retryAfter(idleOf(run, ctx.clock.now())) : undefined;
  return textResult(parts.filter(Boolean).join("\n\n"), {
    ...describeSession(run),
    aggregated: news.text,
    ...(retryInMs === undefined ? {} : { retryInMs }),
  });
}

/** The longer it is silent, the later it is worth asking again. */
function retryAfter(idleMs: number): number {
  return Math.round(Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, idleMs)));
}
