// Which ends are a failure of the run, not an answer of the command, and what to do about each.

import { type ProcessEnd, plural } from "../../core/index.js";

const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

export interface Failure {
  readonly kind:
    | "shell-command-not-found"
    | "shell-not-executable"
    | "overall-timeout"
    | "signal"
    | "aborted"
    | "interrupted";
  readonly text: string;
}

/** Nothing for a command that ran and ended by itself, whatever its exit code. */
export function explainFailure(
  end: ProcessEnd,
  { startedAtMs }: { readonly startedAtMs: number },
): Failure | undefined {
  const explain = EXPLANATIONS[end.reason];
  const seconds = Math.max(0, (end.timedOutAtMs ?? end.endedAtMs) - startedAtMs) / 1_000;
  return explain(end, roundSeconds(seconds));
}

/** To as many digits as say something; a moment is not 0. */
function roundSeconds(seconds: number): number {
  if (seconds >= 10) return Math.round(seconds);
  return Number(seconds < 0.1 ? seconds.toPrecision(1) : seconds.toFixed(1));
}

type Explain = (end: ProcessEnd, seconds: number) => Failure | undefined;

const notFound: Explain = () => ({
  kind: "shell-command-not-found",
  text: "Command not found (exit code 127). Check the spelling, or whether the program is installed.",
});

const notExecutable: Explain = () => ({
  kind: "shell-not-executable",
  text: "Command not executable (exit code 126). It is no program, or lacks the permission to run.",
});

const EXPLANATIONS = {
  exit(end, seconds) {
    if (end.exitCode === NOT_FOUND) return notFound(end, seconds);
    return end.exitCode === NOT_EXECUTABLE ? notExecutable(end, seconds) : undefined;
  },
  not_found: notFound,
  not_executable: notExecutable,
  signal: ({ exitSignal }) => ({
    kind: "signal",
    text: `Command was ended by signal ${exitSignal ?? "(unknown)"}. What it did before that stays done: look before you run it again.`,
  }),
  timeout: (_end, seconds) => ({
    kind: "overall-timeout",
    text: `Command timed out after ${seconds} ${plural("second", seconds)} and was ended with everything it started. What it did before that stays done: look before you run it again. Give a larger timeout, or work in smaller steps.`,
  }),
  killed: () => ({
    kind: "aborted",
    text: "Command was ended on request, with everything it started.",
  }),
  interrupted: () => ({
    kind: "interrupted",
    text: "Command was interrupted when its host stopped; how far it came is unknown. Look before you run it again.",
  }),
} as const satisfies Record<ProcessEnd["reason"], Explain>;
