// A door before one tool, with ports made of memory and time that stands still, for tests of the
// stages that a real clock or a real journal could not show.

import { createBudget, createTurnBudget } from "../../src/core/invoke/budget.js";
import type { Callable } from "../../src/core/invoke/callable.js";
import { createTaint } from "../../src/core/invoke/hooks.js";
import { createInvoke, type InvokeDeps } from "../../src/core/invoke/invoke.js";
import { createLoopGuard } from "../../src/core/invoke/loop.js";
import type { InvokeRequest } from "../../src/core/invoke/request.js";
import type { AuditRow, JournalEnd, JournalIntent } from "../../src/core/ports/records.js";
import type { ToolResult } from "../../src/core/tool.js";
import { createManualClock } from "../fakes/manual-clock.js";

export const says = (text: string): ToolResult => ({ content: [{ type: "text", text }] });

/** What the model gets to read. */
export function textOf({ content }: Pick<ToolResult, "content">): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

/** A tool called `say` that takes anything and says "said". */
export function createCallable(more: Partial<Callable> = {}): Callable {
  return {
    name: "say",
    deadlineMs: 60_000,
    readOnly: false,
    readArguments: async (raw) => raw,
    run: async () => says("said"),
    ...more,
  };
}

/** `rows`, `journal` and `reports` show what it wrote. */
export function createInvoker(tool: Callable, more: Partial<InvokeDeps> = {}) {
  const clock = createManualClock();
  const rows: AuditRow[] = [];
  const reports: string[] = [];
  const journal: Array<JournalIntent & { end?: JournalEnd }> = [];
  const random = { hex: (byteCount: number) => "0".repeat(byteCount * 2) };
  const invoke = createInvoke({
    ports: { clock, random, guard: { run: (work) => work() } },
    journal: {
      async intend(intent) {
        const row: JournalIntent & { end?: JournalEnd } = { ...intent };
        journal.push(row);
        return async (end) => {
          row.end = end;
        };
      },
    },
    audit: { append: (row) => rows.push(row) },
    artifacts: { put: () => "kept", read: () => undefined },
    approver: undefined,
    find: () => tool,
    authorize: () => undefined,
    hooks: {},
    budget: createBudget({}),
    loop: createLoopGuard({}),
    taint: createTaint(),
    taintMode: "mark",
    turns: createTurnBudget(150_000),
    resultChars: 50_000,
    sessionKey: "agent:main:main",
    wrapUntrusted: (text, { source }) => `<${source}>${text}</${source}>`,
    caller: { agentId: "main", sessionKey: "agent:main:main", owner: true, sandboxed: false },
    report: ({ message }) => reports.push(message),
    ...more,
  });
  const call = (request: Partial<InvokeRequest> = {}) =>
    invoke({ id: "call_1", name: tool.name, ...request });
  return { invoke, call, clock, rows, journal, reports };
}

/** Work that begins and never ends by itself: a tool, an approver, a journal. */
export function createHanging() {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const run = () => {
    begin();
    return new Promise<never>(() => undefined);
  };
  return { begun, run };
}
