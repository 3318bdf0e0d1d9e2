// Errors for the command line. It does not load core, which would slow down help.

import { toPrintable } from "../lib/printable.js";
import { readField } from "../lib/read-field.js";

const EXIT_USAGE = 2;
const EXIT_INTERNAL = 70;
const MAX_MESSAGE_CHARS = 4_000;

export interface Failure {
  readonly message: string;
  readonly exitCode: number;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Wrong words on the command line. */
export class UsageError extends Error {
  readonly exitCode = EXIT_USAGE;
  readonly code = "invalid_input";
  readonly reason = "usage";

  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** Errors with an exit code, such as those of tools, explain themselves. */
export function toFailure(thrown: unknown, inOwnWords: (text: string) => string): Failure {
  const own = thrown instanceof Error ? readField(thrown, "exitCode") : undefined;
  const exitCode = typeof own === "number" ? own : EXIT_INTERNAL;
  const text = toPrintable(
    thrown instanceof Error ? thrown.message : String(thrown),
    MAX_MESSAGE_CHARS,
  );
  const isOwn = exitCode !== EXIT_INTERNAL;
  const message = isOwn
    ? inOwnWords(text)
    : `clawtools failed: ${text.replace(/\.$/, "")}. Set CLAWTOOLS_DEBUG=1 to see the stack.`;
  const code = isOwn ? readField(thrown, "code") : "internal";
  const [reason, details] = [readField(thrown, "reason"), readField(thrown, "details")];
  return {
    message,
    exitCode,
    document: { status: "error", code, reason, error: message, ...(details ? { details } : {}) },
  };
}
