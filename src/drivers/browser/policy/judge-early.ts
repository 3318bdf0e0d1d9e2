// What the policy refuses is said before a browser is started for it.

import type { NetFilter } from "../../../core/browser.js";
import { ToolError } from "../../../core/index.js";
import { findDenial } from "../session/net-filter.js";
import { atMost } from "../session/within.js";

/** Names that take longer to look up are judged on the way, as all others are once more. */
const MAX_JUDGE_MS = 1_000;

export interface EarlyJudgement {
  readonly filter: Pick<NetFilter, "judge" | "problems">;
  readonly url: string;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

/** Throws `denied` in the words of the policy. */
export async function judgeEarly({ filter, url, signal, nowMs }: EarlyJudgement): Promise<void> {
  const beganMs = nowMs();
  await atMost(MAX_JUDGE_MS, () => filter.judge(url, { signal }));
  const denial = findDenial(filter, { host: new URL(url).host, nowMs: nowMs() });
  if (denial === undefined || denial.isFailure || denial.atMs < beganMs) return;
  const { host, port, message, reason } = denial;
  throw new ToolError("denied", message, { reason, details: { host, port } });
}
