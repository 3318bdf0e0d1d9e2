// One row per known tool: is it there, and if not, why. Resolution and explanation come from the
// same outcome, so they cannot disagree.

import type { ContextField } from "../define-tool.js";
import { ToolError } from "../errors.js";
import type { Tool, ToolMeta } from "../tool.js";

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

/** What came of one registry entry in one context. */
export interface Outcome {
  readonly tools: readonly Tool[];
  readonly code: ExplainCode;
  readonly reason: string;
  readonly missing?: readonly ContextField[];
  readonly cause?: unknown;
}

/** Codes that leave no tool behind because something broke, not because the context said so. */
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
