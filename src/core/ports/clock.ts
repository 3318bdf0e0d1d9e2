// The ports for time and chance: core has neither of its own, so tests can pass their own.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `work` once after `delayMs`; the returned function takes it back. */
  after(delayMs: number, work: () => void): () => void;
}

export interface RandomSource {
  /** `byteCount` random bytes as lower-case hex. */
  hex(byteCount: number): string;
}
