// Asks anyone who may say yes or no. Waiting for a person has a limit of its own: the tool's deadline
// begins when the tool does. No one to ask, no answer and anything but a yes are a no.

import { ToolError, toToolError } from "../errors.js";
import type { ApprovalRequest, Approver } from "../ports/approver.js";
import { isRecord } from "../schema/json-value.js";
import { copyPlain } from "./copy-plain.js";
import type { CallScope } from "./scope/deadline.js";

const DEFAULT_APPROVAL_LIMIT_MS = 5 * 60_000;
const YES: ReadonlySet<unknown> = new Set(["allow-once", "allow-always"]);

export interface Asking {
  readonly approver: Approver | undefined;
  readonly scope: CallScope;
  /** 5 minutes when absent. */
  readonly limitMs: number | undefined;
}

/** What was answered, for the audit. Throws unless the answer is yes. */
export async function askApproval(request: ApprovalRequest, asking: Asking): Promise<string> {
  const { approver } = asking;
  if (!approver) {
    throw new ToolError(
      "approval_required",
      `${request.title} needs an approval, and no one can be asked here.`,
      { reason: "no_approver" },
    );
  }
  const { isYes, decision, reason } = await ask(request, { ...asking, approver });
  if (isYes) return `${decision} by the approver`;
  const why = reason === undefined ? "." : `: ${reason}`;
  throw new ToolError("denied", `${request.title} was not approved${why}`, {
    reason: "not_approved",
  });
}

interface ReadAnswer {
  readonly isYes: boolean;
  readonly decision: string;
  readonly reason: string | undefined;
}

async function ask(
  request: ApprovalRequest,
  asking: Asking & { readonly approver: Approver },
): Promise<ReadAnswer> {
  const { approver, scope, limitMs = DEFAULT_APPROVAL_LIMIT_MS } = asking;
  const { signal } = scope;
  // A copy: who is asked about the arguments must not be able to change them.
  const asked = { ...request, params: copyPlain(request.params) };
  const limit = { limitMs, error: () => noAnswer(request.title, limitMs) };
  try {
    return readAnswer(await scope.within(limit, () => approver(asked, { signal })));
  } catch (error) {
    if (signal.aborted) throw error;
    // What the asking program said of itself is for programs, not for the model.
    const details = { failure: toToolError(error).message };
    throw new ToolError("denied", `${request.title} was not approved: asking for it failed.`, {
      reason: "approval_failed",
      cause: error,
      details,
    });
  }
}

/** Callers without types answer anything; what is not a clear yes is a no. */
function readAnswer(answer: unknown): ReadAnswer {
  const { decision, reason } = isRecord(answer) ? answer : {};
  const hasReason = typeof reason === "string" && reason !== "";
  return {
    isYes: YES.has(decision),
    decision: typeof decision === "string" ? decision : "",
    reason: hasReason ? reason : undefined,
  };
}

function noAnswer(title: string, limitMs: number): ToolError {
  return new ToolError(
    "approval_required",
    `${title} needs an approval, and no one answered within ${limitMs / 1000} seconds.`,
    { reason: "approval_timeout" },
  );
}
