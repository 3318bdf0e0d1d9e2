// Rows of the history as they lie in the store; what cannot be read as one is not a row.
import { readAccess } from "../../../core/files/index.js";
import type { RecordedCall } from "../../../core/index.js";
import { readField, readNumber, readText } from "../../../lib/read-field.js";
import type { FileState } from "../file-state.js";

export interface FileChange {
  readonly path: string;
  /** The real path, links followed; undefined when the bridge does not report it. */
  readonly place?: string | undefined;
  readonly before: FileState;
  readonly after: FileState;
  /** What it made of it one change before, for a call that died between the two. */
  readonly earlier?: FileState | undefined;
  readonly movedFrom?: string | undefined;
}

export interface NumberedChange {
  readonly index: number;
  readonly change: FileChange;
}

export function parseCall(value: unknown): RecordedCall | undefined {
  const toolCallId = readText(value, "toolCallId");
  const toolName = readText(value, "toolName");
  const atMs = readNumber(value, "atMs");
  if (toolCallId === undefined || toolName === undefined || atMs === undefined) return undefined;
  const sessionKey = readText(value, "sessionKey");
  const agentId = readText(value, "agentId");
  const undoes = readText(value, "undoes");
  const undoneBy = readText(value, "undoneBy");
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
  const path = readText(value, "path");
  const before = parseState(readField(value, "before"));
  const after = parseState(readField(value, "after"));
  if (path === undefined || before === undefined || after === undefined) return undefined;
  const earlier = parseState(readField(value, "earlier"));
  const [place, movedFrom] = [readText(value, "place"), readText(value, "movedFrom")];
  return { path, ...(place !== undefined && { place }), before, after, earlier, movedFrom };
}

export function parseFirst(value: unknown): NumberedChange | undefined {
  const first = readField(value, "first");
  const index = readNumber(first, "index");
  const change = parseChange(readField(first, "change"));
  return index === undefined || change === undefined ? undefined : { index, change };
}

function parseState(value: unknown): FileState | undefined {
  const kind = readText(value, "kind");
  if (kind === "absent") return { kind };
  const hash = readText(value, "hash");
  const bytes = readNumber(value, "bytes");
  if (kind === "file" && hash !== undefined && bytes !== undefined) {
    return { kind, hash, bytes, ...readAccess(value) };
  }
  const reason = readText(value, "reason");
  return kind === "unkept" && reason !== undefined ? { kind, reason } : undefined;
}
