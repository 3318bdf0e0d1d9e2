// Runs every call of every caller of a toolkit, and ends the running calls when it closes.

import { setMaxListeners } from "node:events";
import {
  type ApprovalRequest,
  type Approver,
  type AuditLog,
  type CallerToolkit,
  closedError,
  createUntrustedWrapper,
  type Invoke,
  type Journal,
  type Memory,
  type PolicySender,
  type Tool,
  ToolError,
  toSortedJson,
} from "../core/index.js";
import {
  createAbortRelay,
  createBudget,
  createInvoke,
  createLoopGuard,
  createTaint,
  createTurnBudget,
} from "../core/stages.js";
import { cutChars } from "../lib/unicode-text.js";
import { type CommandPasses, withoutUnstarted } from "./audit.js";
import type { Events } from "./events.js";
import type { ToolkitSettings } from "./options/settings.js";
import type { CallerFields, ToolkitOptions } from "./options/toolkit-options.js";
import type { ToolkitPorts } from "./ports/ports.js";
import type { VisibleTools } from "./visible-tools/visible-tools.js";

const MAX_REMEMBERED = 1_000;
const MAX_SOURCE_CHARS = 400;

/** Longer calls are asked about each time. */
const MAX_KEY_CHARS = 20_000;

/** Runs whose counters are kept; a run that is still in use keeps its own. */
const MAX_RUNS = 1_000;

export interface InvokerSource {
  readonly options: Pick<ToolkitOptions, "approve" | "hooks">;
  readonly settings: ToolkitSettings;
  readonly ports: ToolkitPorts;
  readonly journal: Journal;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly report: (problem: { message: string; cause: unknown }) => void;
  readonly markNotes: Memory["markTainted"];
}

export interface InvokerCaller {
  readonly fields: CallerFields;
  readonly visible: Pick<VisibleTools, "find" | "authorize">;
  readonly passes: Pick<CommandPasses, "has" | "take">;
}

export type CallerInvoker = Pick<CallerToolkit, "invoke" | "clearTaint" | "reportUsage" | "used">;

export interface Invoker {
  /** For one caller. Callers of the same session and run share their counters. */
  open(caller: InvokerCaller): CallerInvoker;
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

export function createInvoker(source: InvokerSource): Invoker {
  const { options, settings, ports } = source;
  const closing = new AbortController();
  // Each running call adds a listener, so Node's leak warning would be false.
  setMaxListeners(0, closing.signal);
  const relay = createAbortRelay();
  // Kept while the invoker is open, so that no call has to add and remove the listener.
  relay.listen(closing.signal, () => undefined);
  const underWay = new Set<Promise<unknown>>();
  const runOf = createRuns(settings);
  const shared = {
    ports: ports.system,
    artifacts: ports.artifacts,
    approver: options.approve && rememberApprovals(options.approve),
    approvalLimitMs: settings.approvalLimitMs,
    closing: closing.signal,
    relay,
    hooks: options.hooks ?? {},
    taintMode: settings.taintMode,
    resultChars: settings.resultChars,
    wrapUntrusted: createUntrustedWrapper(ports.system),
    report: source.report,
  };

  /** The mark is written before the answer, so that no later search can miss it. */
  async function markAfter(work: () => ReturnType<Invoke>, { sources, found }: TaintedCall) {
    const sinceMs = ports.system.clock.now();
    try {
      return await work();
    } finally {
      const mayWrite = found instanceof ToolError || !found.readOnly;
      const from = cutChars(sources.join(", "), MAX_SOURCE_CHARS);
      if (mayWrite) await source.markNotes({ sinceMs, source: from });
    }
  }

  return {
    open({ fields, visible, passes }) {
      const run = runOf(fields);
      const { agentId, sessionKey, owner, sender, sandboxed, provider, model } = fields;
      const pass = createInvoke({
        ...shared,
        ...run,
        journal: withoutUnstarted(source.journal, passes),
        audit: withEvents(source, passes),
        find: (name) => (closing.signal.aborted ? closedError() : visible.find(name)),
        authorize: visible.authorize,
        sessionKey,
        caller: {
          agentId,
          sessionKey,
          owner: owner !== false,
          sender: describeSender(sender),
          sandboxed: sandboxed === true,
          provider,
          model,
        },
      });
      return {
        invoke(...given) {
          const sources = run.taint.sources();
          const work = () => pass(...given);
          const answer =
            sources.length === 0
              ? work()
              : // Callers without types may give anything; the stages answer that.
                markAfter(work, { sources, found: visible.find(String(given[0]?.name)) });
          underWay.add(answer);
          const forget = () => underWay.delete(answer);
          answer.then(forget, forget);
          return answer;
        },
        clearTaint: run.taint.clear,
        reportUsage: run.budget.spend,
        used: run.budget.used,
      };
    },
    closing: closing.signal,
    async close() {
      closing.abort(closedError());
      await Promise.allSettled(underWay);
    },
  };
}

interface TaintedCall {
  readonly sources: readonly string[];
  readonly found: ReturnType<VisibleTools["find"]>;
}

function createRuns(settings: ToolkitSettings) {
  const create = () => ({
    budget: createBudget(settings.budgets),
    loop: createLoopGuard(settings.loop),
    taint: createTaint(),
    turns: createTurnBudget(settings.turnChars),
  });
  const runs = new Map<string, ReturnType<typeof create>>();
  return ({ sessionKey, runId }: CallerFields) => {
    const key = JSON.stringify([sessionKey, runId]);
    const run = runs.get(key) ?? create();
    runs.delete(key);
    const [oldest] = runs.keys();
    if (runs.size >= MAX_RUNS && oldest !== undefined) runs.delete(oldest);
    runs.set(key, run);
    return run;
  };
}

export function toInvokedTool(tool: Tool, invoke: Invoke): Tool {
  return {
    ...tool,
    execute: async (id, params, signal, onUpdate) => {
      const call = { id, name: tool.name, arguments: params, signal, onUpdate };
      const answer = await invoke({ ...call, entryPoint: "tools" });
      const { content, details, isError } = answer;
      return {
        content,
        ...(details === undefined ? {} : { details }),
        ...(isError ? { isError } : {}),
      };
    },
  };
}

function withEvents({ audit, events }: InvokerSource, passes: InvokerCaller["passes"]): AuditLog {
  return {
    append(row, content) {
      const approvedBy = row.approvedBy ?? passes.take(row.toolCallId);
      const whole = { ...row, approvedBy };
      audit.append(whole, content);
      events.emit("call", whole);
    },
  };
}

/** Prefers the most specific identifier. */
function describeSender(sender: PolicySender | undefined): string | undefined {
  const { id, e164, username, name } = sender ?? {};
  const [kind, value] = Object.entries({ id, e164, username, name }).find(([, one]) => one) ?? [];
  return kind === undefined ? undefined : `${kind}:${value}`;
}

function rememberApprovals(approve: Approver): Approver {
  const granted = new Set<string>();
  return async (request, options) => {
    const key = toKey(request);
    if (key !== undefined && granted.has(key)) return { decision: "allow-once" };
    const answer = await approve(request, options);
    // Callers without types may answer anything; the invoker reads it.
    if (key !== undefined && answer?.decision === "allow-always") remember(granted, key);
    return answer;
  };
}

/** Arguments are plain JSON here: the invoker has read and validated them. */
function toKey({ toolName, title, params, sessionKey }: ApprovalRequest): string | undefined {
  const key = toSortedJson([toolName, title, params, sessionKey]);
  return key.length > MAX_KEY_CHARS ? undefined : key;
}

function remember(granted: Set<string>, key: string): void {
  const [oldest] = granted;
  if (granted.size >= MAX_REMEMBERED && oldest !== undefined) granted.delete(oldest);
  granted.add(key);
}
