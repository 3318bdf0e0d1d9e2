// Repeats an assertion until it holds, for as long as a machine ten times slower may take.
import { vi } from "vitest";

const LIMIT_MS = 120_000;

export function eventually<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(work, LIMIT_MS);
}
