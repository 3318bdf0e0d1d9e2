// A question about a call as a form that the client shows to its person.

import type { ApprovalAnswer, ApprovalDecision, ApprovalRequest } from "../../../../core/index.js";
import { toPrintable } from "../../../../lib/printable.js";
import { readField } from "../../../../lib/read-field.js";

const METHOD = "elicitation/create";
const MAX_TITLE_CHARS = 4_000;
/** Nothing of a command may be cut: what is not seen cannot be approved. */
const WHOLE = Number.MAX_SAFE_INTEGER;
const ASKED = "the person at the MCP client";
const ONCE_OR_NOT: readonly ApprovalDecision[] = ["allow-once", "deny"];

export type Ask = (request: {
  readonly method: string;
  readonly params: object;
}) => Promise<unknown>;

/** Anything but a clear yes is a no. Throws what `ask` throws. */
export async function askClient(request: ApprovalRequest, ask: Ask): Promise<ApprovalAnswer> {
  const decisions = request.command?.decisions ?? ONCE_OR_NOT;
  const answer = await ask({
    method: METHOD,
    params: { message: formatQuestion(request), requestedSchema: toForm(decisions) },
  });
  const action = readField(answer, "action");
  if (action !== "accept") {
    return { decision: "deny", reason: `the form was answered: ${action}`, by: ASKED };
  }
  const chosen = readField(readField(answer, "content"), "decision");
  const decision = decisions.find((one) => one === chosen);
  return decision === undefined
    ? { decision: "deny", reason: "the form came back without a decision", by: ASKED }
    : { decision, by: ASKED };
}

function toForm(decisions: readonly ApprovalDecision[]): object {
  return {
    type: "object",
    properties: {
      decision: {
        type: "string",
        title: "Decision",
        description: "May it run?",
        enum: [...decisions],
      },
    },
    required: ["decision"],
  };
}

function formatQuestion({ title, toolName, params, command }: ApprovalRequest): string {
  if (command === undefined) {
    const shown = toPrintable(JSON.stringify(params) ?? "", WHOLE);
    return `${toPrintable(title, MAX_TITLE_CHARS)}\n\n${toolName}: ${shown}`;
  }
  const { shown, cwd, host, env, why, grants, onceBecause } = command;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const saved = grants.map((grant) => grant.shown ?? grant.pattern);
  return [
    `A command wants to run: ${toPrintable(why, MAX_TITLE_CHARS)}`,
    "",
    ...shown,
    "",
    `In: ${toPrintable(cwd, WHOLE)} (${host})`,
    ...(variables.length > 0 ? [`With: ${toPrintable(variables.join(" "), WHOLE)}`] : []),
    ...(saved.length > 0 ? [`allow-always saves: ${toPrintable(saved.join("; "), WHOLE)}`] : []),
    ...(onceBecause === undefined ? [] : [toPrintable(onceBecause, MAX_TITLE_CHARS)]),
  ].join("\n");
}
