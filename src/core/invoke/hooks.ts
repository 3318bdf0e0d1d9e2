// Stage 5 and the first part of stage 8: what hooks may do before and after a call. A hook that
// throws, takes too long or answers nonsense stops the call: it may be the one that guards something.

import { ToolError, toToolError } from "../errors.js";
import { isRecord, isSameJson } from "../schema/json-value.js";
import type { ToolResult } from "../tool.js";
import { copyPlain } from "./copy-plain.js";
import { readToolResult } from "./result/read-result.js";
import type { CallScope, TimeLimit } from "./scope/deadline.js";

const HOOK_LIMIT_MS = 15_000;
const ANSWER_KEYS: ReadonlySet<string> = new Set(["block", "params", "requireApproval"]);

export interface BeforeCallEvent {
  readonly toolCallId: string;
  readonly toolName: string;
  /** A copy; a change made in place counts like one that is given back. */
  readonly params: unknown;
}

export interface BeforeCallAnswer {
  /** Stops the call; the text is shown to the model. */
  readonly block?: string;
  /** Other arguments; they are read and validated as if the model had sent them. */
  readonly params?: unknown;
  /** Someone must say yes first; the text is shown to them. */
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
  readonly hooks: Hooks;
  readonly scope: CallScope;
}

/**
 * Each hook sees the arguments as the one before left them. Throws when one blocks. The approvals
 * are left to the caller: anyone who is asked must see the arguments that will run.
 */
export async function runBeforeHooks(
  event: BeforeCallEvent,
  { hooks, scope }: HookRun,
): Promise<{ readonly changed: boolean; readonly params: unknown; readonly approvals: string[] }> {
  const approvals: string[] = [];
  let { params } = event;
  let changed = false;
  for (const hook of hooks.beforeCall ?? []) {
    const shown = copyPlain(params);
    const given = await guarded(scope, () => hook({ ...event, params: shown }));
    const answer = await guarded(scope, () => readBeforeAnswer(given));
    if (answer.block !== undefined) throw blocked(event.toolName, answer.block);
    if (answer.requireApproval !== undefined) approvals.push(answer.requireApproval);
    if (answer.params === undefined && isSameJson(shown, params)) continue;
    params = answer.params === undefined ? shown : answer.params;
    changed = true;
  }
  return { changed, params, approvals };
}

/** What a hook changes in place counts like a result that it gives back. */
export async function runAfterHooks(
  event: BeforeCallEvent & { readonly result: ToolResult },
  { hooks, scope }: HookRun,
): Promise<ToolResult> {
  let { result } = event;
  for (const hook of hooks.afterCall ?? []) {
    const before = result;
    const shown = { ...before, content: before.content.map((block) => ({ ...block })) };
    const answer = await guarded(scope, () => hook({ ...event, result: shown }));
    const read = await guarded(scope, () => readToolResult(answer ?? shown, "it"));
    result = keepMark(read, before);
  }
  return result;
}

/** What came from outside stays marked, also when a hook writes it again, and keeps its notices. */
function keepMark(result: ToolResult, { untrusted, notices }: ToolResult): ToolResult {
  return { ...(untrusted && { untrusted }), ...(notices && { notices }), ...result };
}

/** Callers without types answer anything; a guard that is misunderstood must not let a call pass. */
function readBeforeAnswer(answer: unknown): BeforeCallAnswer {
  if (answer === undefined || answer === null) return {};
  if (!isRecord(answer)) throw noHookAnswer(`a ${typeof answer}`);
  const { block, params, requireApproval } = answer;
  const unknown = Object.keys(answer).find((key) => !ANSWER_KEYS.has(key));
  if (unknown !== undefined) throw noHookAnswer(`the key "${unknown.slice(0, 80)}"`);
  if (!isOptionalText(block)) throw noHookAnswer("block that is not a string");
  if (!isOptionalText(requireApproval)) throw noHookAnswer("requireApproval that is not a string");
  return {
    ...(block === undefined ? {} : { block }),
    ...(params === undefined ? {} : { params }),
    ...(requireApproval === undefined ? {} : { requireApproval }),
  };
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function noHookAnswer(what: string): ToolError {
  return new ToolError(
    "internal",
    `it answered with ${what}; known are { block: "why" }, { params } and { requireApproval: "what" }.`,
    { reason: "hook_answer_invalid" },
  );
}

const HOOK_LIMIT: TimeLimit = {
  limitMs: HOOK_LIMIT_MS,
  error: (limitMs) => hookFailed(`it took longer than ${limitMs / 1000} seconds.`),
};

async function guarded<T>(scope: CallScope, work: () => T | Promise<T>): Promise<T> {
  try {
    return await scope.within(HOOK_LIMIT, work);
  } catch (error) {
    if (scope.signal.aborted) throw error;
    throw hookFailed(toToolError(error).message, error);
  }
}

function hookFailed(why: string, cause?: unknown): ToolError {
  return new ToolError("denied", `A hook failed, so the call is stopped: ${why}`, {
    reason: "hook_failed",
    cause,
  });
}

function blocked(toolName: string, why: string): ToolError {
  return new ToolError("denied", `${toolName} was blocked: ${why}`, { reason: "hook_blocked" });
}
