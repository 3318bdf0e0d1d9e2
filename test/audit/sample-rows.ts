// Rows and contents of calls for the tests of the audit.

import type { AuditContent, AuditRow } from "../../src/core/index.js";

export function auditRow(fields: Partial<AuditRow> = {}): AuditRow {
  return {
    atMs: Date.UTC(2026, 0, 2, 3, 4, 5),
    durationMs: 7,
    toolCallId: "call_1",
    toolName: "read",
    agentId: "main",
    sessionKey: undefined,
    owner: true,
    sender: undefined,
    entryPoint: "library",
    stage: "answer",
    outcome: "ok",
    code: undefined,
    reason: undefined,
    rule: undefined,
    approvedBy: undefined,
    taintedBy: [],
    ...fields,
  };
}

export function callContent(given: unknown, text = "done"): AuditContent {
  return { arguments: given, result: [{ type: "text", text }] };
}
