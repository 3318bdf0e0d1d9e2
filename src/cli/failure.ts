// Errors as the command line ends with them. It does not enter core: help and version would load it.

import { toPrintable } from "../lib/printable.js";

const EXIT_USAGE = 2;
const EXIT_INTERNAL = 70;
const MAX_MESSAGE_CHARS = 4_000;

export interface Failure {
  /** One sentence, or two when the second is the next step. */
  readonly message: string;
  readonly exitCode: number;
}

/** Wrong words on the command line; it has the exit code of `invalid_input`. */
export class UsageError extends Error {
  readonly exitCode = EXIT_USAGE;

  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** Never throws. Errors that bring an exit code, as those of the tools do, say what to do themselves. */
export function toFailure(thrown: unknown): Failure {
  const exitCode = readExitCode(thrown);
  const message = toPrintable(readMessage(thrown), MAX_MESSAGE_CHARS);
  if (exitCode !== EXIT_INTERNAL) return { message, exitCode };
  const cause = message.replace(/\.$/, "");
  return { exitCode, message: `clawtools failed: ${cause}; CLAWTOOLS_DEBUG=1 shows where.` };
}

export function showStack(thrown: unknown): string {
  return thrown instanceof Error && thrown.stack !== undefined ? thrown.stack : String(thrown);
}

function readExitCode(thrown: unknown): number {
  const exitCode: unknown = thrown instanceof Error ? Reflect.get(thrown, "exitCode") : undefined;
  return typeof exitCode === "number" ? exitCode : EXIT_INTERNAL;
}

function readMessage(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    // A foreign value may refuse to be text.
    return "an error that cannot be printed";
  }
}
