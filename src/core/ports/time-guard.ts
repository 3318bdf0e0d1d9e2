// The port that stops synchronous work which would not end by itself, such as a hostile pattern.

export interface TimeGuard {
  /** Runs `work` and returns its value; throws a ToolError `limit` when it takes longer. */
  run<T>(work: () => T, limitMs: number): T;
}
