// `allow-always`: the same question about the same call is answered once for the life of a toolkit.
// Another argument, however small, is another call and is asked about.

import type { ApprovalRequest, Approver } from "../core/index.js";

const MAX_REMEMBERED = 1_000;
/** Longer calls are asked about each time. */
const MAX_KEY_CHARS = 20_000;

export function rememberApprovals(approve: Approver): Approver {
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
