// What loop detection remembers of the last calls that came to an end.

/** More than any detector needs. A prime: a full history is no multiple of a setting at every call. */
const MAX_CALLS = 1_009;

export interface LoopCall {
  readonly toolName: string;
  /** Fingerprint of name and arguments. */
  readonly asked: string;
  /** Fingerprint of the outcome. */
  readonly came: string;
  readonly failed: boolean;
  /** There is such a tool. */
  readonly known: boolean;
}

export interface LoopHistory {
  /** In the order in which they ended. */
  readonly calls: readonly LoopCall[];
  add(call: LoopCall): void;
}

export function createLoopHistory(): LoopHistory {
  const calls: LoopCall[] = [];
  return {
    calls,
    add(call) {
      calls.push(call);
      if (calls.length > MAX_CALLS) calls.shift();
    },
  };
}
