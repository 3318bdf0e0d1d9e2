// What let a command run, remembered until the row of its call is written: the gate decides inside a
// port, where the door of calls does not see it.

import type { GatePass, Journal } from "../../core/index.js";

const COMMAND_TOOL = "exec";
const MAX_REMEMBERED = 1_000;

export interface CommandPasses {
  note(toolCallId: string, pass: Pick<GatePass, "by" | "rule">): void;
  has(toolCallId: string): boolean;
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
    has: (toolCallId) => passes.has(toolCallId),
    take(toolCallId) {
      const said = passes.get(toolCallId);
      if (said !== undefined) passes.delete(toolCallId);
      return said;
    },
  };
}

/** A command that was stopped before anything let it run did not run: its outcome is known. */
export function withoutUnstarted(journal: Journal, passes: Pick<CommandPasses, "has">): Journal {
  return {
    async intend(intent) {
      const finish = await journal.intend(intent);
      if (intent.toolName !== COMMAND_TOOL) return finish;
      return ({ outcome, atMs }) => {
        const isUnstarted = outcome === "interrupted" && !passes.has(intent.toolCallId);
        return finish({ outcome: isUnstarted ? "error" : outcome, atMs });
      };
    },
  };
}
