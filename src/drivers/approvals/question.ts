// A command as the question to a person: everything the answer holds for, safe to print, uncut.

import { showCommand } from "../../core/command/index.js";
import type { CommandQuestion, GateRequest } from "../../core/index.js";
import type { Proposal } from "./decide.js";

const SLUG_CHARS = 8;

export interface QuestionSource {
  readonly request: GateRequest;
  readonly why: string;
  readonly proposal: Proposal;
  readonly id: string;
  readonly nowMs: number;
  readonly timeoutMs: number;
  readonly stateDir: string | undefined;
}

export function toQuestion(source: QuestionSource): CommandQuestion {
  const { request, proposal, id, nowMs, stateDir } = source;
  const { command, cwd, host, env, input, plan, agentId, sessionKey, toolCallId } = request;
  const what = plan === undefined ? { command, cwd } : { plan };
  const canBeSaved = proposal.grants.length > 0;
  return {
    id,
    slug: id.slice(0, SLUG_CHARS),
    command,
    shown: showCommand({ ...what, env, input }).split("\n"),
    ...(plan === undefined ? {} : { planHash: plan.hash }),
    cwd,
    host,
    env: { ...env },
    ...(input === undefined ? {} : { input }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
    toolCallId,
    why: source.why,
    ...proposal,
    decisions: canBeSaved ? ["allow-once", "allow-always", "deny"] : ["allow-once", "deny"],
    ...(stateDir === undefined ? {} : { stateDir }),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + source.timeoutMs,
  };
}
