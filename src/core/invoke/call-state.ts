// The state of one call on its way through the stages, and who makes it.

import type { EntryPoint } from "../ports/records.js";
import type { ToolUpdateCallback } from "../tool.js";

export type InvokeStage =
  | "find"
  | "authorize"
  | "arguments"
  | "before"
  | "budget"
  | "execute"
  | "bound"
  | "answer";

export interface InvokeRequest {
  /** As the model's API gave it; need not be unique. A call without one gets one. */
  readonly id: string;
  readonly name: string;
  /** An object, or JSON text. */
  readonly arguments?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly onUpdate?: ToolUpdateCallback | undefined;
  /** Calls of one turn share one allowance of text. */
  readonly turn?: string | number | undefined;
  /** For the audit: by which way the call came. Default `library`. */
  readonly entryPoint?: EntryPoint | undefined;
}

export interface Caller {
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
  readonly owner: boolean;
  /** Who wrote, in words. */
  readonly sender?: string | undefined;
  readonly sandboxed: boolean;
  /** Whose model makes the calls; some providers have slips of their own. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}

export interface CallState {
  readonly request: InvokeRequest;
  readonly startedMs: number;
  /** Sources of untrusted content that had come in before. */
  readonly taintedBy: readonly string[];
  stage: InvokeStage;
  /** The tool's own name once it is found. */
  toolName: string;
  /** What runs, once it is read; what was asked until then. */
  params: unknown;
  /** Who let it through where that was asked. */
  approvedBy: string | undefined;
  /** A sentence for the model about a call that was stopped. */
  note: string | undefined;
}
