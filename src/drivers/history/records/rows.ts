// Rows of the history as they lie in the store; what cannot be read as one is no row.

import { isMode } from "../../../core/files/index.js";
import type { RecordedCall } from "../../../core/index.js";
import type { FileState } from "../file-state.js";

/** What a call did at one path. */
export interface FileChange {
  /** Relative to the root where it lies inside. */
  readonly path: string;
  /** Before the first change by the call. */
  readonly before: FileState;
  /** What the call made of it, or was about to make when its process died. */
  readonly after: FileState;
  /** What it made of it one change before, for a call that died between the two. */
  readonly earlier?: FileState | undefined;
  /** The path whose file came here by a move, and which was changed by nothing else. */
  readonly movedFrom?: string | undefined;
}

/** Where the record of an id lies, and until when. */
export interface CallPointer {
  readonly callKey: string;
  readonly expiresAtMs: number;
}

export function parseCall(value: unknown): RecordedCall | undefined {
  const toolCallId = textIn(value, "toolCallId");
  const toolName = textIn(value, "toolName");
  const atMs = numberIn(value, "atMs");
  if (toolCallId === undefined || toolName === undefined || atMs === undefined) return undefined;
  const sessionKey = textIn(value, "sessionKey");
  const agentId = textIn(value, "agentId");
  const undoes = textIn(value, "undoes");
  const undoneBy = textIn(value, "undoneBy");
  return {
    toolCallId,
    toolName,
    atMs,
    ...(sessionKey !== undefined && { sessionKey }),
    ...(agentId !== undefined && { agentId }),
    ...(undoes !== undefined && { undoes }),
    ...(undoneBy !== undefined && { undoneBy }),
  };
}

export function parseChange(value: unknown): FileChange | undefined {
  const path = textIn(value, "path");
  const before = parseState(read(value, "before"));
  const after = parseState(read(value, "after"));
  if (path === undefined || before === undefined || after === undefined) return undefined;
  const earlier = parseState(read(value, "earlier"));
  return { path, before, after, earlier, movedFrom: textIn(value, "movedFrom") };
}

export function parsePointer(value: unknown): CallPointer | undefined {
  const callKey = textIn(value, "callKey");
  const expiresAtMs = numberIn(value, "expiresAtMs");
  return callKey === undefined || expiresAtMs === undefined ? undefined : { callKey, expiresAtMs };
}

function parseState(value: unknown): FileState | undefined {
  const kind = textIn(value, "kind");
  if (kind === "absent") return { kind };
  const hash = textIn(value, "hash");
  const bytes = numberIn(value, "bytes");
  if (kind === "file" && hash !== undefined && bytes !== undefined) {
    const mode = numberIn(value, "mode");
    return { kind, hash, bytes, ...(isMode(mode) && { mode }) };
  }
  const reason = textIn(value, "reason");
  return kind === "unkept" && reason !== undefined ? { kind, reason } : undefined;
}

function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const found = read(value, name);
  return typeof found === "string" ? found : undefined;
}

function numberIn(value: unknown, name: string): number | undefined {
  const found = read(value, name);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}
