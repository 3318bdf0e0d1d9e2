// The audit of one toolkit, in its state folder or in memory; loaded at the first call.
import type { ClawtoolsConfig } from "../config/index.js";
import type { AuditContent, AuditLog, AuditRow, GatePass, Journal } from "../core/index.js";
import { withoutUndefined } from "../lib/without-undefined.js";
import { loadOrSay, type ToolkitPorts } from "./ports/ports.js";

const MAX_WAITING_ROWS = 1_000;

interface ToolkitAuditSource {
  readonly ports: Pick<ToolkitPorts, "stateDir" | "system">;
  readonly config: ClawtoolsConfig;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

interface ToolkitAudit extends AuditLog {
  close(): Promise<void>;
}

export function createToolkitAudit(source: ToolkitAuditSource): ToolkitAudit {
  const { enabled = true } = source.config.audit ?? {};
  const { stateDir } = source.ports;
  return enabled && stateDir !== undefined
    ? createLateAudit(() => openAudit(source, stateDir), source.report)
    : { append: () => undefined, close: async () => undefined };
}

async function openAudit(source: ToolkitAuditSource, folder: string): Promise<ToolkitAudit> {
  const [{ createAuditFile }, { createProcessMarks }] = await loadOrSay(() =>
    Promise.all([import("../audit/index.js"), import("../drivers/store/index.js")]),
  );
  const { clock, random } = source.ports.system;
  const { maxBytes, keepFiles } = source.config.audit ?? {};
  const limits = withoutUndefined({ maxBytes, keepFiles });
  const { report } = source;
  return createAuditFile({ folder, clock, random, owners: createProcessMarks(), limits, report });
}

/** A call never waits for it, and never fails by it. */
function createLateAudit(
  open: () => Promise<ToolkitAudit>,
  report: ToolkitAuditSource["report"],
): ToolkitAudit {
  const waiting: Array<readonly [AuditRow, AuditContent | undefined]> = [];
  let opened: ToolkitAudit | undefined;
  let opening: Promise<void> | undefined;
  let isReported = false;
  let isClosed = false;

  async function load(): Promise<void> {
    try {
      const audit = await open();
      for (const [row, content] of waiting.splice(0)) audit.append(row, content);
      opened = audit;
    } catch (cause) {
      opening = undefined;
      if (!isReported) report({ message: "The audit could not be opened; rows wait.", cause });
      isReported = true;
    }
  }

  return {
    append(row, content) {
      // A closed toolkit only refuses, and nothing of it is left to write.
      if (isClosed) return;
      if (opened) {
        opened.append(row, content);
        return;
      }
      waiting.push([row, content]);
      if (waiting.length > MAX_WAITING_ROWS) waiting.shift();
      opening ??= load();
    },
    async close() {
      isClosed = true;
      await opening;
      await opened?.close();
    },
  };
}

const COMMAND_TOOL = "exec";
const MAX_REMEMBERED = 1_000;

export interface CommandPasses {
  note(toolCallId: string, pass: Pick<GatePass, "by" | "rule">): void;
  has(toolCallId: string): boolean;
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
