// Sends approval questions to the client that made the call.
import {
  type ApprovalAnswer,
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  abortError,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { readField } from "../../../lib/read-field.js";

/** Give it to `createToolkit({ approve })` and to `serveMcp(toolkit, { approvals })`. */
export interface McpApprovals {
  readonly approve: Approver;
}

export interface ApprovalDesk extends McpApprovals {
  /** Asks about this call until the returned function is called. */
  attach(callId: string, ask: Approver): () => void;
}

const NO_CLIENT = "the call came from no client of this server, and no one else can be asked";

export function isDesk(value: McpApprovals): value is ApprovalDesk {
  return typeof Reflect.get(value, "attach") === "function";
}

export function createMcpApprovals(): McpApprovals {
  const askers = new Map<string, Approver>();
  const desk: ApprovalDesk = {
    async approve(request, options) {
      const ask = askers.get(request.toolCallId) ?? askNobody;
      return ask(request, options);
    },
    attach(callId, ask) {
      askers.set(callId, ask);
      return () => askers.delete(callId);
    },
  };
  return desk;
}

/** A command waits for `clawtools approvals`; anything else is denied. */
export async function askNobody(
  request: ApprovalRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<ApprovalAnswer> {
  if (request.command === undefined) return { decision: "deny", reason: NO_CLIENT };
  return new Promise((_, reject) => {
    const stop = () => reject(abortError(signal));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

const METHOD = "elicitation/create";
const MAX_TITLE_CHARS = 4_000;
/** What is not seen cannot be approved. */
const WHOLE = Number.MAX_SAFE_INTEGER;
const ASKED = "the person at the MCP client";
const ONCE_OR_NOT: readonly ApprovalDecision[] = ["allow-once", "deny"];

type Ask = (request: { readonly method: string; readonly params: object }) => Promise<unknown>;

/** Anything but a clear yes is a no. */
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
