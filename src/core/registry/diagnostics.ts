// What a registry noticed and did not throw: kept for anyone who asks later, reported to anyone who listens.

const MAX_KEPT = 200;

export type DiagnosticCode =
  | "tool_replaced"
  | "name_conflict"
  | "factory_threw"
  | "factory_async"
  | "tool_invalid"
  | "profile_unknown"
  | "entry_unknown"
  | "config_doubtful"
  | "update_callback_threw"
  | "command_problem"
  | "audit_problem"
  | "memory_problem"
  | "listener_threw";

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: "warning" | "error";
  readonly toolId: string;
  readonly message: string;
  readonly cause?: unknown;
}

export type DiagnosticListener = (diagnostic: Diagnostic) => void;

export interface Diagnostics {
  report(diagnostic: Diagnostic): void;
  /** The returned function takes the listener back. */
  listen(listener: DiagnosticListener): () => void;
  /** The newest 200, oldest first. */
  recent(): readonly Diagnostic[];
}

export function createDiagnostics(): Diagnostics {
  const kept: Diagnostic[] = [];
  const listeners = new Set<DiagnosticListener>();

  function keep(diagnostic: Diagnostic): void {
    const { code, toolId, message } = diagnostic;
    // The same fault at every resolution is one fault.
    if (kept.some((d) => d.code === code && d.toolId === toolId && d.message === message)) return;
    kept.push(Object.freeze(diagnostic));
    if (kept.length > MAX_KEPT) kept.shift();
  }

  return {
    report(diagnostic) {
      keep(diagnostic);
      for (const listener of listeners) {
        try {
          listener(diagnostic);
        } catch (cause) {
          // A bad listener must not break the resolution it watches.
          const message = "A diagnostic listener threw.";
          keep({ ...diagnostic, code: "listener_threw", severity: "error", message, cause });
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    recent: () => [...kept],
  };
}
