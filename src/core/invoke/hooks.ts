// Stage 5 and the first part of stage 8: what hooks may do before and after a call. A hook that
// throws or takes too long stops the call: it may be the one that guards something.

import { ToolError, toToolError } from "../errors.js";
import type { ApprovalAnswer, Approver } from "../ports/approver.js";
import type { Clock } from "../ports/clock.js";
import type { ToolResult } from "../tool.js";
import { runWithDeadline } from "./deadline.js";
import { readToolResult } from "./read-result.js";

const HOOK_LIMIT_MS = 15_000;

export interface BeforeCallEvent {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly params: unknown;
}

export interface BeforeCallAnswer {
  /** Stops the call; the text is shown to the model. */
  readonly block?: string;
  /** Other arguments; they are read and validated as if the model had sent them. */
  readonly params?: unknown;
  /** Somebody must say yes first; the text is shown to them. */
  readonly requireApproval?: string;
}

export type BeforeCallHook = (
  event: BeforeCallEvent,
) => BeforeCallAnswer | undefined | Promise<BeforeCallAnswer | undefined>;

export type AfterCallHook = (
  event: BeforeCallEvent & { readonly result: ToolResult },
) => ToolResult | undefined | Promise<ToolResult | undefined>;

export interface Hooks {
  readonly beforeCall?: readonly BeforeCallHook[] | undefined;
  readonly afterCall?: readonly AfterCallHook[] | undefined;
}

interface HookRun {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Each hook sees the arguments as the one before left them. Throws when one blocks. The approvals
 * are left to the caller: whoever is asked must see the arguments that will run.
 */
export async function runBeforeHooks(
  event: BeforeCallEvent,
  run: HookRun & { readonly hooks: Hooks },
): Promise<{ readonly changed: boolean; readonly params: unknown; readonly approvals: string[] }> {
  const approvals: string[] = [];
  let { params } = event;
  let changed = false;
  for (const hook of run.hooks.beforeCall ?? []) {
    const answer = await guarded(() => hook({ ...event, params }), run);
    if (answer?.block !== undefined) throw blocked(event.toolName, answer.block);
    if (answer?.params !== undefined) {
      params = answer.params;
      changed = true;
    }
    if (answer?.requireApproval !== undefined) approvals.push(answer.requireApproval);
  }
  return { changed, params, approvals };
}

export async function runAfterHooks(
  event: BeforeCallEvent & { readonly result: ToolResult },
  run: HookRun & { readonly hooks: Hooks },
): Promise<ToolResult> {
  let { result } = event;
  for (const hook of run.hooks.afterCall ?? []) {
    const before = result;
    const work = async () => readAnswer(await hook({ ...event, result: before }), before);
    result = await guarded(work, run);
  }
  return result;
}

/** What came from outside stays marked, also when a hook writes it anew. */
function readAnswer(answer: ToolResult | undefined, before: ToolResult): ToolResult {
  if (answer === undefined) return before;
  const { untrusted } = before;
  return { ...(untrusted && { untrusted }), ...readToolResult(answer, "A hook") };
}

async function guarded<T>(work: () => T | Promise<T>, run: HookRun): Promise<T> {
  try {
    return await runWithDeadline(async () => work(), {
      clock: run.clock,
      deadlineMs: HOOK_LIMIT_MS,
      signal: run.signal,
    });
  } catch (error) {
    if (run.signal.aborted) throw error;
    throw new ToolError(
      "denied",
      `A hook failed, so the call is stopped: ${toToolError(error).message}`,
      {
        reason: "hook_failed",
        cause: error,
      },
    );
  }
}

function blocked(toolName: string, why: string): ToolError {
  return new ToolError("denied", `${toolName} was blocked: ${why}`, { reason: "hook_blocked" });
}

/** Asks, and throws unless the answer is yes. Nobody to ask is a no, at once. */
export async function askApproval(
  request: Parameters<Approver>[0],
  options: { readonly approver: Approver | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const { approver, signal } = options;
  if (!approver) {
    throw new ToolError(
      "approval_required",
      `${request.title} needs an approval, and nobody can be asked here.`,
      { reason: "no_approver" },
    );
  }
  const answer: ApprovalAnswer = await approver(request, { signal });
  if (answer.decision === "allow-once" || answer.decision === "allow-always") return;
  const why = answer.reason ? `: ${answer.reason}` : ".";
  throw new ToolError("denied", `${request.title} was not approved${why}`, {
    reason: "not_approved",
  });
}
