// Stages 5 and 8: hooks, approvals and taint. A hook that fails or answers nonsense stops the call.

import { readText } from "../../lib/read-field.js";
import { ToolError, toToolError } from "../errors.js";
import type { ApprovalRequest, Approver } from "../ports/approver.js";
import { copyPlain, isRecord, isSameJson } from "../schema/json-value.js";
import type { ToolResult } from "../tool.js";
import { readToolResult } from "./execute.js";
import type { CallScope, TimeLimit } from "./scope.js";

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

function keepMark(result: ToolResult, { untrusted, notices }: ToolResult): ToolResult {
  return { ...(untrusted && { untrusted }), ...(notices && { notices }), ...result };
}

/** Callers without types answer anything; a guard that is misunderstood must not let a call pass. */
function readBeforeAnswer(answer: unknown) {
  if (answer === undefined || answer === null) return {};
  if (!isRecord(answer)) throw noHookAnswer(`a ${typeof answer}`);
  const { block, params, requireApproval } = answer;
  const unknown = Object.keys(answer).find((key) => !ANSWER_KEYS.has(key));
  if (unknown !== undefined) throw noHookAnswer(`the key "${unknown.slice(0, 80)}"`);
  if (!isOptionalText(block)) throw noHookAnswer("block that is not a string");
  if (!isOptionalText(requireApproval)) throw noHookAnswer("requireApproval that is not a string");
  return { block, params, requireApproval };
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

const DEFAULT_APPROVAL_LIMIT_MS = 5 * 60_000;
const YES: ReadonlySet<string> = new Set(["allow-once", "allow-always"]);

interface Asking {
  readonly approver: Approver | undefined;
  readonly scope: CallScope;
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
  const { decision, reason } = await ask(request, { ...asking, approver });
  if (YES.has(decision)) return `${decision} by the approver`;
  const why = reason === undefined ? "." : `: ${reason}`;
  throw new ToolError("denied", `${request.title} was not approved${why}`, {
    reason: "not_approved",
  });
}

interface ReadAnswer {
  readonly decision: string;
  readonly reason: string | undefined;
}

async function ask(
  request: ApprovalRequest,
  {
    approver,
    scope,
    limitMs = DEFAULT_APPROVAL_LIMIT_MS,
  }: Asking & { readonly approver: Approver },
): Promise<ReadAnswer> {
  const { signal } = scope;
  // A copy: who is asked about the arguments must not be able to change them.
  const asked = { ...request, params: copyPlain(request.params) };
  const limit = { limitMs, error: () => approvalTimeout(request.title, limitMs) };
  try {
    const answer: unknown = await scope.within(limit, () => approver(asked, { signal }));
    return {
      decision: readText(answer, "decision") ?? "",
      reason: readText(answer, "reason") || undefined,
    };
  } catch (error) {
    if (signal.aborted) throw error;
    const details = { failure: toToolError(error).message };
    throw new ToolError("denied", `${request.title} was not approved: asking for it failed.`, {
      reason: "approval_failed",
      cause: error,
      details,
    });
  }
}

function approvalTimeout(title: string, limitMs: number): ToolError {
  return new ToolError(
    "approval_required",
    `${title} needs an approval, and no one answered within ${limitMs / 1000} seconds.`,
    { reason: "approval_timeout" },
  );
}

const MAX_SOURCES = 20;

/** Tools that a text from outside must not be able to steer unseen. */
const GUARDED_TOOLS: ReadonlySet<string> = new Set(["exec", "message", "gateway", "cron", "nodes"]);

/** `mark` only notes it, `ask` wants an approval, `deny` refuses. */
export type TaintMode = "mark" | "ask" | "deny";

export interface Taint {
  add(source: string): void;
  clear(): void;
  sources(): readonly string[];
}

export function createTaint(): Taint {
  const sources: string[] = [];
  return {
    add(source) {
      if (sources.includes(source)) return;
      sources.push(source);
      if (sources.length > MAX_SOURCES) sources.shift();
    },
    clear() {
      sources.length = 0;
    },
    sources: () => [...sources],
  };
}

interface TaintCheck {
  readonly toolName: string;
  readonly mode: TaintMode;
  readonly taint: Taint;
  readonly sandboxed: boolean;
  readonly approve: (title: string) => Promise<void>;
}

/** Throws when the mode forbids the call or the approval is not given. */
export async function checkTaint(check: TaintCheck): Promise<void> {
  const { toolName, mode, taint, sandboxed, approve } = check;
  const sources = taint.sources();
  const folded = toolName.toLowerCase();
  if (mode === "mark" || sources.length === 0 || !GUARDED_TOOLS.has(folded)) return;
  // Inside the sandbox a command reaches nothing that the content could not reach by itself.
  if (folded === "exec" && sandboxed) return;
  const why = `untrusted content came in before (${sources.join(", ")})`;
  if (mode === "ask") return approve(`${toolName}, because ${why},`);
  throw new ToolError(
    "denied",
    `${toolName} is refused, because ${why} and tools.taint is "deny".`,
    {
      reason: "tainted",
      details: { sources },
    },
  );
}
