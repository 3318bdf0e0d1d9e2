// `process poll`: what is new, after a wait for it if the call asks for one.

import { type OutputView, type ToolResult, textResult } from "../../../core/index.js";
import { describeSession, idleOf, tellState } from "../describe-session.js";
import type { SessionCall } from "../execute.js";
import { MAX_GATHER_MS, MAX_POLL_MS, PAUSE_MS } from "../limits.js";

/** Room for the sentences around the output. */
const RESERVED_CHARS = 1_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

export async function poll(session: SessionCall): Promise<ToolResult> {
  const { call, run } = session;
  const news = await readNews(session);
  if (run.end !== undefined) run.acknowledge();
  const cut =
    news.omittedChars > 0
      ? `[process log with sessionId "${run.sessionId}" and offset ${news.omittedFromLine ?? 0} shows what is left out.]`
      : "";
  const retryInMs =
    run.end === undefined ? retryAfter(idleOf(run, call.ctx.clock.now())) : undefined;
  const next =
    retryInMs === undefined
      ? ""
      : ` process poll with timeout ${MAX_POLL_MS} waits for more output or the end; process kill ends it.`;
  const parts = [news.text.trimEnd() || "(no new output)", cut, `${tellState(run)}${next}`];
  return textResult(parts.filter(Boolean).join("\n\n"), {
    ...describeSession(run),
    aggregated: news.text,
    ...(retryInMs === undefined ? {} : { retryInMs }),
  });
}

/** A change may show nothing, as a screen that is drawn anew does: then the wait goes on. */
async function readNews(session: SessionCall): Promise<OutputView> {
  const { call, run } = session;
  const { params, ctx, signal } = call;
  const take = () => run.output.take(Math.max(0, ctx.limits.resultChars - RESERVED_CHARS));
  const untilMs = ctx.clock.now() + (params.timeout ?? 0);
  const nextPause = () => gather(session, Math.min(untilMs, ctx.clock.now() + MAX_GATHER_MS));
  if (run.lastOutputAtMs !== undefined && idleOf(run, ctx.clock.now()) < PAUSE_MS) {
    await nextPause();
    signal.throwIfAborted();
  }
  let news = take();
  while (news.text === "" && run.end === undefined) {
    const timeoutMs = untilMs - ctx.clock.now();
    if (timeoutMs <= 0) break;
    await run.waitForChange({ timeoutMs, signal });
    await nextPause();
    signal.throwIfAborted();
    news = take();
  }
  return news;
}

/** Fulfilled when output pauses, at the end, at `untilMs` or when the caller gives up. */
async function gather({ call, run }: SessionCall, untilMs: number): Promise<void> {
  const { clock } = call.ctx;
  let before: number | undefined;
  while (run.end === undefined && !call.signal.aborted && run.lastOutputAtMs !== before) {
    before = run.lastOutputAtMs;
    const waitMs = Math.min(PAUSE_MS, untilMs - clock.now());
    if (waitMs <= 0) return;
    await pause({ call, run }, waitMs);
  }
}

function pause({ call, run }: Pick<SessionCall, "call" | "run">, waitMs: number): Promise<void> {
  const { ctx, signal } = call;
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = ctx.clock.after(waitMs, done);
    signal.addEventListener("abort", done, { once: true });
    void run.ended.then(done);
  });
}

/** The longer it is silent, the later it is worth asking again. */
function retryAfter(idleMs: number): number {
  return Math.round(Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, idleMs)));
}
