// One row per known tool: present, or why not. Resolution uses the same outcome.

import type { ContextField, ToolDefinition, ToolFactory } from "../define-tool.js";
import { ToolError } from "../errors.js";
import type { Tool, ToolMeta } from "../tool.js";

export interface ToolRegistration {
  register(tool: Tool | ToolDefinition, meta?: Partial<ToolMeta>): void;
  registerFactory(factory: ToolFactory, meta: ToolMeta): void;
  has(id: string): boolean;
  unregister(id: string): boolean;
}

export type ExplainCode =
  | "ready"
  | "not_built"
  | "missing_context"
  | "not_attached"
  | "declined"
  | "factory_threw"
  | "factory_async"
  | "tool_invalid"
  | "name_conflict"
  | "denied"
  | "schema_refused"
  | "not_loaded"
  | "unknown";

export interface ExplainRow {
  readonly id: string;
  /** A tool that is not built or not attached is `present` in a bare registry and says so when called. */
  readonly status: "present" | "absent";
  readonly code: ExplainCode;
  /** A sentence for people. */
  readonly reason: string;
  /** Context fields that would bring it back. */
  readonly missing?: readonly ContextField[];
  /** The policy rule that removed it, as written in the config. */
  readonly rule?: string;
  /** A config patch that brings it back. */
  readonly restore?: Readonly<Record<string, unknown>> | undefined;
  /** Only in a toolkit, for tools that run commands: what is in force for them, each a sentence. */
  readonly facts?: readonly string[];
}

export interface Outcome {
  readonly tools: readonly Tool[];
  readonly code: ExplainCode;
  readonly reason: string;
  readonly missing?: readonly ContextField[];
  readonly cause?: unknown;
}

const FAULTS = ["factory_threw", "factory_async", "tool_invalid"] as const;
export type FaultCode = (typeof FAULTS)[number];

export function isFault(code: ExplainCode): code is FaultCode {
  return FAULTS.some((fault) => fault === code);
}

export function toExplainRow(meta: ToolMeta, outcome: Outcome): ExplainRow {
  const { code, reason, missing } = outcome;
  const status = outcome.tools.length > 0 ? "present" : "absent";
  return Object.freeze({ id: meta.id, status, code, reason, ...(missing ? { missing } : {}) });
}

/** Thrown by strict resolution; `rows` has every absent tool with its reason. */
export class ToolResolutionError extends ToolError {
  readonly rows: readonly ExplainRow[];

  constructor(rows: readonly ExplainRow[]) {
    const lines = rows.map((row) => `${row.id}: ${row.reason}`);
    super("unavailable", `${rows.length} of the wanted tools are absent. ${lines.join(" ")}`, {
      reason: "tools_absent",
      details: { rows },
    });
    this.name = "ToolResolutionError";
    this.rows = rows;
  }
}

const MAX_KEPT = 200;

export type DiagnosticCode =
  | "tool_replaced"
  | "name_conflict"
  | "factory_threw"
  | "factory_async"
  | "tool_invalid"
  | "profile_unknown"
  | "entry_unknown"
  | "config_doubtful"
  | "update_callback_threw"
  | "command_problem"
  | "audit_problem"
  | "memory_problem"
  | "listener_threw";

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: "warning" | "error";
  readonly toolId: string;
  readonly message: string;
  readonly cause?: unknown;
}

export type DiagnosticListener = (diagnostic: Diagnostic) => void;

interface Diagnostics {
  report(diagnostic: Diagnostic): void;
  /** The returned function takes the listener back. */
  listen(listener: DiagnosticListener): () => void;
  /** The newest 200, oldest first. */
  recent(): readonly Diagnostic[];
}

export function createDiagnostics(): Diagnostics {
  const kept: Diagnostic[] = [];
  const listeners = new Set<DiagnosticListener>();

  function keep(diagnostic: Diagnostic): void {
    const { code, toolId, message } = diagnostic;
    // The same fault at every resolution is one fault.
    if (kept.some((d) => d.code === code && d.toolId === toolId && d.message === message)) return;
    kept.push(Object.freeze(diagnostic));
    if (kept.length > MAX_KEPT) kept.shift();
  }

  return {
    report(diagnostic) {
      keep(diagnostic);
      for (const listener of listeners) {
        try {
          listener(diagnostic);
        } catch (cause) {
          // A bad listener must not break the resolution it watches.
          const message = "A diagnostic listener threw.";
          keep({ ...diagnostic, code: "listener_threw", severity: "error", message, cause });
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    recent: () => [...kept],
  };
}
