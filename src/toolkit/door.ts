// The one door of a toolkit: every call of it, the calls that are under way, and their end.

import { setMaxListeners } from "node:events";
import {
  type ApprovalRequest,
  type Approver,
  type AuditLog,
  type Budget,
  closedError,
  createBudget,
  createInvoke,
  createLoopGuard,
  createTaint,
  createTurnBudget,
  createUntrustedWrapper,
  type Invoke,
  type Journal,
  type Memory,
  type PolicySender,
  type Tool,
  ToolError,
} from "../core/index.js";
import { cutChars } from "../lib/unicode-text.js";
import type { CommandPasses } from "./audit/command-passes.js";
import type { ToolkitPorts } from "./bind-ports.js";
import type { Events } from "./events.js";
import type { DoorSettings } from "./options/door-settings.js";
import type { ToolkitOptions } from "./options/toolkit-options.js";
import type { VisibleTools } from "./visible-tools/visible-tools.js";

const MAX_REMEMBERED = 1_000;

const MAX_SOURCE_CHARS = 400;

/** Longer calls are asked about each time. */
const MAX_KEY_CHARS = 20_000;

export interface DoorSource {
  readonly options: ToolkitOptions;
  readonly settings: DoorSettings;
  readonly ports: ToolkitPorts;
  readonly journal: Journal;
  readonly audit: AuditLog;
  /** What let commands run. */
  readonly passes: Pick<CommandPasses, "take">;
  readonly visible: Pick<VisibleTools, "find" | "authorize">;
  readonly events: Events;
  readonly report: (problem: { message: string; cause: unknown }) => void;
  /** Marks notes that a call changed after untrusted content had come in. */
  readonly markNotes: Memory["markTainted"];
}

export interface Door {
  readonly invoke: Invoke;
  readonly budget: Pick<Budget, "spend" | "used">;
  clearTaint(): void;
  /** Fires when the door is closed. */
  readonly closing: AbortSignal;
  /** Fulfilled when the calls that were under way have ended. */
  close(): Promise<void>;
}

export function createDoor(source: DoorSource): Door {
  const { options, settings, ports, visible, markNotes } = source;
  const closing = new AbortController();
  // Each call under way listens; there is no leak that Node would have to warn of.
  setMaxListeners(0, closing.signal);
  const underWay = new Set<Promise<unknown>>();
  const budget = createBudget(settings.budgets);
  const taint = createTaint();
  const pass = createInvoke({
    ports: ports.system,
    journal: source.journal,
    audit: withEvents(source),
    artifacts: ports.artifacts,
    approver: options.approve && rememberApprovals(options.approve),
    approvalLimitMs: settings.approvalLimitMs,
    closing: closing.signal,
    find: (name) => (closing.signal.aborted ? closedError() : visible.find(name)),
    authorize: visible.authorize,
    hooks: options.hooks ?? {},
    budget,
    loop: createLoopGuard(settings.loop),
    taint,
    taintMode: settings.taintMode,
    turns: createTurnBudget(settings.turnChars),
    resultChars: settings.resultChars,
    sessionKey: options.sessionKey,
    wrapUntrusted: createUntrustedWrapper(ports.system),
    caller: {
      agentId: options.agentId,
      sessionKey: options.sessionKey,
      owner: options.owner !== false,
      sender: describeSender(options.sender),
      sandboxed: options.sandboxed === true,
      provider: options.provider,
      model: options.model,
    },
    report: source.report,
  });

  /** The mark is written before the answer, so that no later search can miss it. */
  async function passTainted(given: Parameters<typeof pass>, sources: readonly string[]) {
    const sinceMs = ports.system.clock.now();
    try {
      return await pass(...given);
    } finally {
      // Callers without types may give anything; the stages answer that.
      const found = visible.find(String(given[0]?.name));
      const mayWrite = found instanceof ToolError || !found.readOnly;
      const source = cutChars(sources.join(", "), MAX_SOURCE_CHARS);
      if (mayWrite) await markNotes({ sinceMs, source });
    }
  }

  return {
    invoke(...given) {
      const sources = taint.sources();
      const answer = sources.length === 0 ? pass(...given) : passTainted(given, sources);
      underWay.add(answer);
      const forget = () => underWay.delete(answer);
      answer.then(forget, forget);
      return answer;
    },
    budget,
    clearTaint: taint.clear,
    closing: closing.signal,
    async close() {
      closing.abort(closedError());
      await Promise.allSettled(underWay);
    },
  };
}

/** A tool for a foreign agent loop whose `execute` is no second door. */
export function throughDoor(tool: Tool, invoke: Invoke): Tool {
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

function withEvents({ audit, events, passes }: DoorSource): AuditLog {
  return {
    append(row, content) {
      const approvedBy = row.approvedBy ?? passes.take(row.toolCallId);
      const whole = { ...row, approvedBy };
      audit.append(whole, content);
      events.emit("call", whole);
    },
  };
}

/** By what is surest to be theirs alone. */
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
    // Callers without types may answer anything; the door reads it.
    if (key !== undefined && answer?.decision === "allow-always") remember(granted, key);
    return answer;
  };
}

/** Arguments are plain JSON here: the door has read and validated them. */
function toKey({ toolName, title, params }: ApprovalRequest): string | undefined {
  const key = JSON.stringify([toolName, title, sortKeys(params)]);
  return key.length > MAX_KEY_CHARS ? undefined : key;
}

/** The order of keys is no difference between calls. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return { sorted: entries.map(([key, item]) => [key, sortKeys(item)]) };
}

function remember(granted: Set<string>, key: string): void {
  const [oldest] = granted;
  if (granted.size >= MAX_REMEMBERED && oldest !== undefined) granted.delete(oldest);
  granted.add(key);
}
