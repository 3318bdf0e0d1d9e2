// What loop detection remembers of the last calls, each as two short fingerprints: what was asked,
// and what came of it.

import { copyJson, isRecord } from "../schema/json-value.js";
import type { ToolResult } from "../tool.js";

const MAX_CALLS = 30;
/** Of longer text the beginning, the end and the length are enough to tell calls apart. */
const MAX_CHARS = 64 * 1024;
/** Fields of `details` that differ at every run of the same thing. */
const VOLATILE_FIELDS: ReadonlySet<string> = new Set([
  "pid",
  "durationMs",
  "sessionId",
  "startedAt",
  "endedAt",
  "runtimeMs",
  "messageId",
  "timestamp",
]);
/** FNV-1a, 32 bit; two of them with different starts make chance agreement negligible. */
const FNV_STARTS: readonly number[] = [0x811c9dc5, 0x1b873593];
const FNV_PRIME = 0x01000193;

export interface LoopCall {
  readonly toolName: string;
  /** Fingerprint of name and arguments. */
  readonly asked: string;
  /** Fingerprint of the outcome; undefined until it is known. */
  came: string | undefined;
  readonly known: boolean;
}

export interface LoopHistory {
  readonly calls: readonly LoopCall[];
  add(call: Omit<LoopCall, "came">): LoopCall;
}

export function createLoopHistory(): LoopHistory {
  const calls: LoopCall[] = [];
  return {
    calls,
    add(call) {
      const entry: LoopCall = { ...call, came: undefined };
      calls.push(entry);
      if (calls.length > MAX_CALLS) calls.shift();
      return entry;
    },
  };
}

export function fingerprintCall(toolName: string, params: unknown): string {
  return fingerprint(`${toolName} ${stableJson(params)}`);
}

export function fingerprintResult(result: ToolResult): string {
  const details = isRecord(result.details)
    ? Object.fromEntries(
        Object.entries(result.details).filter(([key]) => !VOLATILE_FIELDS.has(key)),
      )
    : undefined;
  const text = details === undefined ? result.content : details;
  return fingerprint(`${result.isError === true} ${stableJson(text)}`);
}

/** JSON with sorted keys; what cannot be written counts as one value. */
function stableJson(value: unknown): string {
  try {
    return JSON.stringify(copyJson(value), (_key, part: unknown) =>
      isRecord(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : part,
    );
  } catch {
    // Too deep or cyclic details are a program's business; for the loop they are all alike.
    return "unwritable";
  }
}

function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function fingerprint(whole: string): string {
  const text =
    whole.length <= MAX_CHARS
      ? whole
      : `${whole.length} ${whole.slice(0, MAX_CHARS / 2)}${whole.slice(-MAX_CHARS / 2)}`;
  return FNV_STARTS.map((start) => {
    let hash = start;
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
    }
    return (hash >>> 0).toString(36);
  }).join("-");
}
