// The refusals of the gate and of the table of requests.

import type { CommandDecision } from "../../core/command/index.js";
import {
  type CommandGrant,
  type CommandQuestion,
  type GateRequest,
  ToolError,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { RequestRow } from "./requests/rows.js";

const MAX_SHOWN_CHARS = 200;

export function approvalsBroken(place: string, problem: string): ToolError {
  return new ToolError(
    "denied",
    `Commands are refused: ${place} cannot be used, ${problem}. Mend it, or move it away to begin anew.`,
    { reason: "approvals_broken", details: { place, problem } },
  );
}

export function denied({ command, host }: GateRequest, decision: CommandDecision): ToolError {
  const { reason, message } = decision;
  return new ToolError("denied", `${quote(command)} may not run: ${sentence(message)}`, {
    reason,
    details: { host },
  });
}

export function securityDeny({ command, host }: GateRequest, place: string): ToolError {
  return new ToolError(
    "denied",
    `${quote(command)} may not run: commands are switched off here by security "deny", in tools.exec.security, the call, or ${place}.`,
    { reason: "security_deny", details: { host } },
  );
}

export interface UnansweredQuestion {
  readonly command: string;
  readonly why: string;
  readonly grants: readonly CommandGrant[];
  readonly agentId: string | undefined;
}

/** Says how the same command would be allowed. */
export function noApprover(question: UnansweredQuestion): ToolError {
  const { command, why, grants } = question;
  const commands = grants.map((grant) => toGrantCommand(grant, question.agentId));
  const forGood =
    commands.length === 0 ? "" : ` allow it for good with \`${commands.join("; ")}\`,`;
  return new ToolError(
    "approval_required",
    `${quote(command)} needs an approval, and nobody can be asked here: ${sentence(why)} To go on,${forGood} keep \`clawtools approvals watch\` open in a terminal and call again, or change tools.exec.security and tools.exec.ask in the config.`,
    { reason: "no_approver", details: { allow: commands } },
  );
}

export function unanswered(question: CommandQuestion, waitedMs: number): ToolError {
  const { command, id, slug } = question;
  return new ToolError(
    "approval_required",
    `${quote(command)} was not approved: nobody answered request ${slug} within ${Math.ceil(waitedMs / 1_000)} seconds (approvals.timeoutMs). Call again when somebody is there.`,
    { reason: "approval_timeout", details: { approvalId: id } },
  );
}

export function userDenied({ question, answer }: RequestRow): ToolError {
  const why = answer?.reason === undefined ? "." : `: ${toPrintable(answer.reason, 1_000)}`;
  return new ToolError("denied", `${quote(question.command)} was denied by a person${why}`, {
    reason: "user_denied",
    details: { approvalId: question.id },
  });
}

export function askingFailed(command: string, cause: unknown): ToolError {
  const failure = cause instanceof Error ? cause.message : String(cause);
  return new ToolError("denied", `${quote(command)} was not approved: asking for it failed.`, {
    reason: "approval_failed",
    cause,
    details: { failure: toPrintable(failure) },
  });
}

export function grantNotSaved(place: string, cause: unknown): ToolError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ToolError(
    "failed",
    `The command was allowed for good, but ${place} could not be changed, so it did not run: ${why}`,
    { reason: "grant_not_saved", cause },
  );
}

export function mismatch(command: string, change: string): ToolError {
  return new ToolError(
    "denied",
    `${quote(command)} did not start: ${change} since it was allowed. Look at it again and repeat the call.`,
    { reason: "approval_mismatch", details: { change } },
  );
}

export function requestUnknown(name: string, count: number): ToolError {
  const what =
    count > 1
      ? `${count} requests begin with "${toPrintable(name, 80)}"; give more of the id`
      : `There is no request "${toPrintable(name, 80)}"; \`clawtools approvals list\` shows those that wait`;
  return new ToolError("not_found", `${what}.`, { reason: "approval_unknown" });
}

export function alreadyResolved({ question, state, answer }: RequestRow): ToolError {
  const how =
    answer === undefined
      ? OUTCOMES[state === "pending" ? "expired" : state]
      : `was answered "${answer.decision}" by ${toPrintable(answer.by, 80)}`;
  return new ToolError("conflict", `Request ${question.slug} ${how} already.`, {
    reason: "already_resolved",
    details: { approvalId: question.id, ...(answer && { decision: answer.decision }) },
  });
}

const OUTCOMES = {
  answered: "was answered",
  used: "was used",
  expired: "has expired",
  withdrawn: "was withdrawn",
} as const satisfies Record<Exclude<RequestRow["state"], "pending">, string>;

export function abandoned({ slug }: CommandQuestion): ToolError {
  return new ToolError(
    "conflict",
    `Request ${slug} cannot be answered: the process that asked has ended. When the call is repeated, it asks again.`,
    { reason: "approval_abandoned" },
  );
}

/** The words to type for an entry. */
function toGrantCommand(
  { pattern, argPattern }: CommandGrant,
  agentId: string | undefined,
): string {
  const words = [
    "clawtools approvals grants add",
    shellQuote(pattern),
    ...(argPattern === undefined ? [] : [`--args=${shellQuote(argPattern)}`]),
    ...(agentId === undefined ? [] : [`--agent ${shellQuote(agentId)}`]),
  ];
  return words.join(" ");
}

function shellQuote(word: string): string {
  return /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function quote(command: string): string {
  return `"${toPrintable(command, MAX_SHOWN_CHARS)}"`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
