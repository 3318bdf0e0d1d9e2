// Untrusted content that came in earlier: remembered until it is cleared, and a reason to ask before
// a tool that reaches out of the sandbox is used.

import { ToolError } from "../errors.js";

const MAX_SOURCES = 20;

/** Tools that a text from outside must not be able to steer unseen. */
const GUARDED_TOOLS: ReadonlySet<string> = new Set(["exec", "message", "gateway", "cron", "nodes"]);

/** `mark` only notes it, `ask` wants an approval, `deny` refuses. */
export type TaintMode = "mark" | "ask" | "deny";

export interface Taint {
  add(source: string): void;
  clear(): void;
  /** The newest 20, oldest first. */
  sources(): readonly string[];
}

export function createTaint(): Taint {
  const sources: string[] = [];
  return {
    add(source) {
      if (sources.includes(source)) return;
      sources.push(source);
      if (sources.length > MAX_SOURCES) sources.shift();
    },
    clear() {
      sources.length = 0;
    },
    sources: () => [...sources],
  };
}

export interface TaintCheck {
  readonly toolName: string;
  readonly mode: TaintMode;
  readonly taint: Taint;
  readonly sandboxed: boolean;
  readonly approve: (title: string) => Promise<void>;
}

/** Throws when the mode forbids the call or the approval is not given. */
export async function checkTaint(check: TaintCheck): Promise<void> {
  const { toolName, mode, taint, sandboxed, approve } = check;
  const sources = taint.sources();
  const folded = toolName.toLowerCase();
  if (mode === "mark" || sources.length === 0 || !GUARDED_TOOLS.has(folded)) return;
  // Inside the sandbox a command reaches nothing that the content could not reach by itself.
  if (folded === "exec" && sandboxed) return;
  const why = `untrusted content came in before (${sources.join(", ")})`;
  if (mode === "ask") return approve(`${toolName}, because ${why},`);
  throw new ToolError(
    "denied",
    `${toolName} is refused, because ${why} and tools.taint is "deny".`,
    {
      reason: "tainted",
      details: { sources },
    },
  );
}
