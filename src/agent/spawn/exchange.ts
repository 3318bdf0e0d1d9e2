// The exchange after `sessions_send`: two sessions answer each other for a few turns, then the target may
// announce the outcome in its own chat. Each step is a run; its end starts the next in one transaction.

import type { ClawtoolsConfig } from "../../config/index.js";
import {
  ancestorsOf,
  type FoundEntry,
  kindOfSession,
  parseSessionKey,
} from "../../sessions/index.js";
import type { RunOutcome } from "./runs.js";

const DEFAULT_TURNS = 5;
const REPLY_SKIP = "REPLY_SKIP";
const ANNOUNCE_SKIP = "ANNOUNCE_SKIP";
const MAX_QUOTED_CHARS = 100_000;

export interface Exchange {
  /** The run of the first message. */
  readonly id: string;
  readonly requester: string;
  readonly target: string;
  /** 0: the first reply of the target; odd steps are the requester's. */
  readonly step: number | "announce";
  /** Replies after the first one. */
  readonly turns: number;
}

export interface ExchangeStep {
  readonly runId: string;
  readonly sessionKey: string;
  /** The session that wrote `text`. */
  readonly from: string;
  readonly text: string;
  readonly exchange: Exchange;
}

/** Replies that may follow the first one. None for a chain, a scheduled job, or a parent and its child. */
export function countTurns({
  config,
  hops,
  requester,
  target,
  all,
}: {
  readonly config: ClawtoolsConfig;
  readonly hops: number;
  readonly requester: string;
  readonly target: string;
  readonly all: ReadonlyMap<string, FoundEntry>;
}): number {
  const isFamily =
    ancestorsOf(requester, all).includes(target) || ancestorsOf(target, all).includes(requester);
  const isJob = kindOfSession(parseSessionKey(requester)) === "cron";
  if (hops > 1 || isFamily || isJob) return 0;
  return config.session?.agentToAgent?.maxPingPongTurns ?? DEFAULT_TURNS;
}

/** Undefined when the exchange is over. `hasChat`: the target has a chat in which it can announce. */
export function nextStep(
  exchange: Exchange,
  { outcome, hasChat }: { readonly outcome: RunOutcome; readonly hasChat: boolean },
): ExchangeStep | undefined {
  const { id, requester, target, step, turns } = exchange;
  const reply = outcome.reply.trim().slice(0, MAX_QUOTED_CHARS);
  if (step === "announce" || outcome.state !== "done" || (step === 0 && reply === "")) return;
  const isOver = step >= turns || reply === "" || reply === REPLY_SKIP;
  if (isOver && !hasChat) return;
  if (isOver) {
    return {
      ...{ runId: `${id}.announce`, sessionKey: target, from: requester },
      exchange: { ...exchange, step: "announce" },
      text: [
        `[The exchange with session ${requester} has ended.]`,
        ...(reply === "" || reply === REPLY_SKIP ? [] : [`Last reply: ${reply}`]),
        `[Your answer is posted in the chat of this session. Reply exactly ${ANNOUNCE_SKIP} to post nothing.]`,
      ].join("\n"),
    };
  }
  const [sessionKey, from] = step % 2 === 0 ? [requester, target] : [target, requester];
  return {
    ...{ runId: `${id}.${step + 1}`, sessionKey, from, exchange: { ...exchange, step: step + 1 } },
    text: [
      `[Reply from session ${from}]`,
      reply,
      `[Your answer goes back to that session: reply ${step + 1} of at most ${turns}. Reply exactly ${REPLY_SKIP} to end the exchange.]`,
    ].join("\n"),
  };
}
