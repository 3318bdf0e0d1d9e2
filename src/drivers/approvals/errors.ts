// The errors of the gate and of the table of requests.

import type { CommandDecision } from "../../core/command/index.js";
import {
  type CommandGrant,
  type CommandQuestion,
  type GateRequest,
  ToolError,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { shellQuote } from "../../lib/system/shell-words.js";
import type { RequestRow } from "./requests/table.js";

export interface AnswerPlace {
  /** `file`: the command line can change it. `program`: it is in the program's memory. */
  readonly list: "file" | "program";
  readonly isShared: boolean;
  /** For `--state-dir`; absent for the default folder. */
  readonly stateDir?: string | undefined;
}

export interface NextStep {
  /** Empty where the grants are the program's. */
  readonly commands: readonly string[];
  /** Begins with a space unless empty. */
  readonly text: string;
}

const MAX_SHOWN_CHARS = 200;

export function approvalsBroken(place: string, problem: string): ToolError {
  return new ToolError(
    "denied",
    `Commands are refused: ${place} cannot be used, ${problem}${/[.?]$/.test(problem) ? "" : "."} Fix it, or move it away to start over.`,
    { reason: "approvals_broken", details: { place, problem } },
  );
}

export function denied(
  { command, host }: GateRequest,
  { decision, next }: { readonly decision: CommandDecision; readonly next: NextStep },
): ToolError {
  const { reason, message } = decision;
  const how = next.text === "" ? "" : ` To go on,${next.text}, or set ask to "on-miss".`;
  return new ToolError("denied", `${quote(command)} may not run: ${sentence(message)}${how}`, {
    reason,
    details: { host, ...(next.commands.length === 0 ? {} : { allow: next.commands }) },
  });
}

export function programMissing({ command, host }: GateRequest, message: string): ToolError {
  return new ToolError(
    "not_found",
    `${quote(command)} cannot run: ${sentence(message)} Check the spelling, or whether it is installed.`,
    { reason: "program_missing", details: { host } },
  );
}

export function securityDeny({ command, host }: GateRequest, place: string): ToolError {
  return new ToolError(
    "denied",
    `${quote(command)} may not run: commands are switched off here by security "deny", set by tools.exec.mode, tools.exec.security, the call, or ${place}.`,
    { reason: "security_deny", details: { host } },
  );
}

export interface UnansweredQuestion {
  readonly command: string;
  readonly why: string;
  readonly next: NextStep;
  readonly place: AnswerPlace;
}

export function noApprover({ command, why, next, place }: UnansweredQuestion): ToolError {
  const ways = [
    ...[next.text, watchCommand(place)].filter((way) => way !== ""),
    " change tools.exec.mode, or tools.exec.security and tools.exec.ask, in the config",
  ];
  const last = ways.pop() ?? "";
  const choice = ways.length === 0 ? last : `${ways.join(",")}, or${last}`;
  return new ToolError(
    "approval_required",
    `${quote(command)} needs an approval, and no one can be asked here: ${sentence(why)} To go on,${choice}.`,
    { reason: "no_approver", details: { allow: next.commands } },
  );
}

export function unanswered(question: CommandQuestion, waitedMs: number): ToolError {
  const { command, id, slug } = question;
  return new ToolError(
    "approval_required",
    `${quote(command)} was not approved: no one answered request ${slug} within ${Math.ceil(waitedMs / 1_000)} seconds (approvals.timeoutMs). Call again when someone is there.`,
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
  const failure = toPrintable(cause instanceof Error ? cause.message : String(cause));
  const shown = sentence(toPrintable(failure, MAX_SHOWN_CHARS));
  return new ToolError(
    "denied",
    `${quote(command)} was not approved: asking for it failed: ${shown}`,
    { reason: "approval_failed", cause, details: { failure } },
  );
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
      : `Unknown request "${toPrintable(name, 80)}"; \`clawtools approvals list\` shows the pending ones`;
  return new ToolError("not_found", `${what}.`, { reason: "approval_unknown" });
}

export function alreadyResolved(row: RequestRow): ToolError {
  const { question, answer } = row;
  return new ToolError("conflict", `Request ${question.slug} ${describeOutcome(row)} already.`, {
    reason: "already_resolved",
    details: { approvalId: question.id, ...(answer && { decision: answer.decision }) },
  });
}

/** The rest of a sentence about the request. */
export function describeOutcome(row: RequestRow | undefined): string {
  if (row === undefined) return OUTCOMES.expired;
  const { state, answer } = row;
  if (answer === undefined) return OUTCOMES[state === "pending" ? "expired" : state];
  return `was answered "${answer.decision}" by ${toPrintable(answer.by, 80)}`;
}

const OUTCOMES = {
  answered: "was answered",
  used: "was used",
  expired: "has expired",
  withdrawn: "was withdrawn; the command was not run",
} as const satisfies Record<Exclude<RequestRow["state"], "pending">, string>;

export function abandoned({ slug }: CommandQuestion): ToolError {
  return new ToolError(
    "conflict",
    `Request ${slug} cannot be answered: the process that asked has ended. When the call is repeated, it asks again.`,
    { reason: "approval_abandoned" },
  );
}

function quote(command: string): string {
  return `"${toPrintable(command, MAX_SHOWN_CHARS)}"`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

export function allowForGood(
  grants: readonly CommandGrant[],
  { place, agentId }: { readonly place: AnswerPlace; readonly agentId: string | undefined },
): NextStep {
  if (grants.length === 0) return { commands: [], text: "" };
  if (place.list === "program") {
    const entries = grants.map(({ pattern, argPattern }) =>
      JSON.stringify({ pattern, argPattern }),
    );
    return {
      commands: [],
      text: ` allow it for good with ${entries.join(", ")} in an allowlist of createToolkit({ approvals })`,
    };
  }
  const flags = showFlags({ agent: agentId, "state-dir": place.stateDir });
  const commands = grants.map(({ pattern, argPattern }) => {
    const args = argPattern === undefined ? "" : ` --args=${shellQuote(argPattern)}`;
    return `clawtools approvals grants add ${shellQuote(pattern)}${args}${flags}`;
  });
  return { commands, text: ` allow it for good with \`${commands.join("; ")}\`` };
}

/** Begins with a space unless empty. */
function watchCommand({ isShared, stateDir }: AnswerPlace): string {
  if (!isShared) return "";
  const flags = showFlags({ "state-dir": stateDir });
  return ` keep \`clawtools approvals watch${flags}\` open in a terminal and call again`;
}

function showFlags(flags: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(flags)
    .flatMap(([name, value]) => (value === undefined ? [] : [` --${name} ${shellQuote(value)}`]))
    .join("");
}
