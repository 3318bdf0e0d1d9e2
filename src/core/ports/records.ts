// The ports that record calls: journal, audit, and artifacts for text too long for a result.

import type { ContentBlock } from "../tool.js";

export interface JournalIntent {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly sessionKey: string | undefined;
  /** JSON of the arguments, bounded. */
  readonly argumentsText: string;
  readonly atMs: number;
}

export interface JournalEnd {
  /** `interrupted`: stopped on its way, and no one knows what it had done by then. */
  readonly outcome: "ok" | "error" | "interrupted";
  readonly atMs: number;
}

/** A call without an end was interrupted, and no one knows how far it came. */
export interface Journal {
  /** Fulfilled when the intent is recorded; the returned function records the end. */
  intend(intent: JournalIntent): Promise<(end: JournalEnd) => Promise<void>>;
}

/** A call that has no known outcome: its process died, or it was stopped on its way. */
export interface InterruptedCall extends Omit<JournalIntent, "sessionKey"> {
  readonly sessionKey?: string | undefined;
  /** When it was stopped, or found without an end. */
  readonly interruptedAtMs: number;
  /** The undo that has taken back what it changed in files. */
  readonly undoneBy?: string | undefined;
}

/** Through which interface a call came in. */
export const ENTRY_POINTS = [
  "library",
  "tools",
  "cli",
  "mcp-stdio",
  "mcp-http",
  "gateway-ws",
  "gateway-http",
  "ai-sdk",
  "pi",
] as const;
export type EntryPoint = (typeof ENTRY_POINTS)[number];

export interface AuditRow {
  readonly atMs: number;
  readonly durationMs: number;
  readonly toolCallId: string;
  /** As the caller wrote it, when no tool was found. */
  readonly toolName: string;
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
  readonly owner: boolean;
  /** Who wrote, in words; undefined when no one said. */
  readonly sender: string | undefined;
  readonly entryPoint: EntryPoint;
  /** The stage that ended the call; `answer` when it ran to its end. */
  readonly stage: string;
  readonly outcome: "ok" | "error" | "stopped" | "aborted";
  readonly code: string | undefined;
  readonly reason: string | undefined;
  /** The policy rule that decided, as written in the config. */
  readonly rule: string | undefined;
  /** Who or what let it through where that was asked, in words. */
  readonly approvedBy: string | undefined;
  /** Sources of untrusted content that had come in before the call. */
  readonly taintedBy: readonly string[];
}

/** What a call was given and what it answered: for hashes, never to be kept as it is. */
export interface AuditContent {
  readonly arguments: unknown;
  /** undefined when the call was aborted, and so has no answer. */
  readonly result: readonly ContentBlock[] | undefined;
}

export interface AuditLog {
  append(row: AuditRow, content?: AuditContent): void;
}

export interface Artifact {
  readonly sessionKey: string | undefined;
  readonly text: string;
  /** The result it was cut from came from outside; anyone who reads it on must say so again. */
  readonly untrusted?: { readonly source: string } | undefined;
}

export interface ArtifactStore {
  /** The id, or undefined when the text is larger than the store keeps. */
  put(artifact: Artifact): string | undefined;
  /** Only for the session that put it. */
  read(id: string, sessionKey: string | undefined): Artifact | undefined;
}
