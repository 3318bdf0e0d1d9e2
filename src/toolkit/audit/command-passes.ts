// What let a command run, remembered until the row of its call is written: the gate decides inside a
// port, where the door of calls does not see it.

import type { GatePass } from "../../core/index.js";

const MAX_REMEMBERED = 1_000;

export interface CommandPasses {
  note(toolCallId: string, pass: Pick<GatePass, "by" | "rule">): void;
  /** In words, and forgotten. */
  take(toolCallId: string): string | undefined;
}

export function createCommandPasses(): CommandPasses {
  const passes = new Map<string, string>();
  return {
    note(toolCallId, { by, rule }) {
      const [oldest] = passes.keys();
      if (passes.size >= MAX_REMEMBERED && oldest !== undefined) passes.delete(oldest);
      passes.set(toolCallId, `${by}: ${rule}`);
    },
    take(toolCallId) {
      const said = passes.get(toolCallId);
      if (said !== undefined) passes.delete(toolCallId);
      return said;
    },
  };
}
