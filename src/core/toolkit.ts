// The toolkit as programs see it.

import type { AttachedPorts } from "./define-tool.js";
import type { BudgetUse } from "./invoke/budget.js";
import type { Invoke } from "./invoke/invoke.js";
import type { PolicySender } from "./policy/tools.js";
import type { CallDiff, ChangedCall, UndoResult } from "./ports/fs-bridge.js";
import type { ProcessFacts } from "./ports/processes.js";
import type { AuditRow, InterruptedCall } from "./ports/records.js";
import type { Diagnostic, ExplainRow } from "./registry/explain.js";
import type { ToolSchema } from "./schema/extract.js";
import type { Tool, ToolAnnotations } from "./tool.js";

interface ToolkitNotice {
  readonly message: string;
  readonly sessionId?: string;
  readonly command?: string;
  readonly exitCode?: number;
  readonly sessionKey?: string;
}

export interface ToolkitEvents {
  /** One audit row for each call, also for one that was stopped. */
  call: AuditRow;
  diagnostic: Diagnostic;
  /** Something a person may want to know, such as a command that ended in the background. */
  notice: ToolkitNotice;
  /** Other tools are offered than before: plugins have been loaded, ports attached, or the policy is another. */
  tools: { readonly names: readonly string[] };
}

export interface SchemaRequest {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  /** `schemas` only: publish the other spellings of parameters too; they cost tokens. */
  readonly aliases?: boolean | undefined;
}

/** In agreement with `schemas` for the same provider and model; the toolkit's own by default. */
export interface Explain {
  /** One row per known tool. */
  (request?: SchemaRequest): ExplainRow[];
  /** By its name or another one, without regard to case. */
  (name: string, request?: SchemaRequest): ExplainRow;
}

export interface UndoOptions {
  /** Overwrites files that were changed since. Default false. */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DiffOptions {
  /** Characters of all diffs together; default 50,000. */
  readonly maxChars?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Who makes calls. What is left out is as the toolkit was made. */
export interface CallerOptions {
  /** Artifacts, background commands and remembered approvals belong to it. */
  readonly sessionKey?: string | undefined;
  /** Budgets, loop detection, taint and turns are counted for one run of one session. */
  readonly runId?: string | undefined;
  /** Default: as the toolkit's; false when `sender` or `channel` is given. */
  readonly owner?: boolean | undefined;
  /** Who wrote, where and in which group: given together, or all as the toolkit's. */
  readonly sender?: PolicySender | undefined;
  readonly channel?: string | undefined;
  readonly groupId?: string | undefined;
  readonly provider?: string | undefined;
  /** Default: the toolkit's, unless `provider` is given. */
  readonly model?: string | undefined;
  /** The model sees images. Default: the toolkit's, unless `provider` or `model` is given. */
  readonly vision?: boolean | undefined;
  /** The agent that the toolkit was made for; another one needs its own toolkit. */
  readonly agentId?: string | undefined;
  readonly subagent?: "leaf" | "orchestrator" | undefined;
  /** Only what it names is left. */
  readonly toolsAllow?: readonly string[] | undefined;
  /** Default: as `sandbox.mode` says of the session. */
  readonly sandboxed?: boolean | undefined;
}

/** A toolkit as one caller sees it. It costs microseconds to make, and nothing to drop. */
export interface CallerToolkit {
  /** What policy left, ready for any agent loop; each `execute` goes through `invoke`. */
  readonly tools: Tool[];
  explain: Explain;
  /** What the policy leaves for the provider, compiled for it. */
  schemas(request?: SchemaRequest): ToolSchema[];
  /** The tool list and guidance as text for a system prompt; of the same tools as `schemas`. */
  prompt(request?: SchemaRequest): string;
  /** What a tool may do; of a tool that is not known the worst. */
  annotations(name: string): ToolAnnotations;
  invoke: Invoke;
  /** Forgets that untrusted content came in. */
  clearTaint(): void;
  /** Counts what only the caller knows against `budgets.tokens` and `budgets.usd`. */
  reportUsage(use: { readonly tokens?: number; readonly usd?: number }): void;
  used(): BudgetUse;
}

/** Its own view is that of the options it was made with. */
export interface Toolkit extends CallerToolkit {
  /** Plugins and MCP servers of the config have been tried; each failure is in `explain()`. */
  readonly ready: Promise<void>;
  /** Throws a ToolInputError for an option that cannot be used, and for another agent. */
  forCaller(caller: CallerOptions): CallerToolkit;
  on<Event extends keyof ToolkitEvents>(
    event: Event,
    listener: (value: ToolkitEvents[Event]) => void,
  ): () => void;
  /** Throws a ToolInputError when the config cannot be used; then the rules are as they were. */
  setPolicy(config: Record<string, unknown>): readonly string[];
  /** Gives tools the ports of an agent or a gateway, in place of those before. */
  attach(ports: AttachedPorts): void;
  /** What was noticed so far, doubtful config values among it; newest last. */
  diagnostics(): readonly Diagnostic[];
  /** Takes back what a call changed in files, wholly or not at all. */
  undo(toolCallId: string, options?: UndoOptions): Promise<UndoResult>;
  /** What a call changed in files. */
  diff(toolCallId: string, options?: DiffOptions): Promise<CallDiff>;
  /** Calls that changed files under this root, newest first; default 20, at most 1,000. */
  changes(limit?: number): Promise<readonly ChangedCall[]>;
  /**
   * Calls in this root that may have done all, part or nothing of their work, because their process
   * died or they were stopped; newest first, default 50.
   */
  interrupted(limit?: number): Promise<readonly InterruptedCall[]>;
  /** What is in force for commands. */
  commandFacts(): Promise<ProcessFacts>;
  /** No timer, child or listener is left; later calls answer `unavailable`. */
  close(): Promise<void>;
}
