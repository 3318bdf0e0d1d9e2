// Reports a command that has ended: its output, how it ended, and what to do next.

import {
  type OutputView,
  type ProcessEnd,
  type ProcessRun,
  plural,
  type ToolResult,
  textResult,
} from "../../core/index.js";
import type { ExecCall, ExecDetails } from "./index.js";

const EXPLANATIONS = {
  exit: () => undefined,
  not_found: () => ({
    kind: "shell-command-not-found",
    text: "Command not found (exit code 127). Check the spelling, or whether the program is installed.",
  }),
  not_executable: () => ({
    kind: "shell-not-executable",
    text: "Command not executable (exit code 126). It is not a program, or lacks the permission to run.",
  }),
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

interface Failure {
  readonly kind: string;
  readonly text: string;
}

type Explain = (end: ProcessEnd, seconds: number) => Failure | undefined;

/** For the text around the output. */
const RESERVED_CHARS = 1_500;
const NO_OUTPUT = "(no output)";
const NETWORK_FAILURE =
  /could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|getaddrinfo|EAI_AGAIN|ENETUNREACH|unable to resolve host/i;
/** Read-only mounts, and mounted files such as git's settings. */
const WRITE_FAILURE =
  /read-only file system|EROFS|\.git\/\S+: (?:device or resource busy|permission denied)/i;
const SEARCH_CHARS = 20_000;
const MAX_PROBLEMS = 3;
/** 128 plus the number of the signal. */
const SIGNAL_CODES: ReadonlyMap<number, string> = new Map([
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [131, "SIGQUIT"],
  [132, "SIGILL"],
  [134, "SIGABRT"],
  [135, "SIGBUS"],
  [136, "SIGFPE"],
  [137, "SIGKILL (often for too much memory)"],
  [139, "SIGSEGV"],
  [141, "SIGPIPE"],
  [143, "SIGTERM"],
  [152, "SIGXCPU (the limit of processor time)"],
  [153, "SIGXFSZ (the limit of a file's size)"],
]);

export interface EndedRun {
  readonly call: ExecCall;
  readonly run: ProcessRun;
  readonly end: ProcessEnd;
  readonly notes: readonly string[];
  readonly canYield: boolean;
}

export function showEnd(ended: EndedRun): ToolResult<ExecDetails> {
  const { call, run, end, notes, canYield } = ended;
  const view = run.output.view(Math.max(0, call.ctx.limits.resultChars - RESERVED_CHARS));
  const failure = explainFailure(end, { startedAtMs: run.startedAtMs });
  // The model learns of the end here, so no notice follows.
  run.acknowledge();
  if (view.omittedChars > 0 && canYield) run.toBackground();
  const parts = [
    // The first line of a failed result becomes its error.
    failure?.text,
    ...notes,
    view.text.trimEnd() || NO_OUTPUT,
    explainCut(view, ended),
    failure ? "" : explainExit(end),
    explainNetwork(ended),
    explainWriting(ended),
    explainSurvivors(end),
  ];
  const result = textResult<ExecDetails>(parts.filter(Boolean).join("\n\n"), {
    status: failure ? "failed" : "completed",
    exitCode: end.exitCode ?? null,
    ...(end.exitSignal === undefined ? {} : { exitSignal: end.exitSignal }),
    ...(failure
      ? { failureKind: failure.kind, exitReason: failure.text, timedOut: end.reason === "timeout" }
      : {}),
    durationMs: Math.max(0, end.endedAtMs - run.startedAtMs),
    aggregated: view.text,
    cwd: run.cwd,
    host: run.host,
    containment: run.containment,
    ...(end.survivors?.length ? { survivors: end.survivors } : {}),
    ...describeCut(view, ended),
  });
  return failure ? { ...result, isError: true } : result;
}

function describeCut(view: OutputView, { run, canYield }: EndedRun) {
  const { omittedChars, totalChars, totalLines, lostBytes } = view;
  if (omittedChars === 0) return { truncated: false };
  const session = canYield ? { sessionId: run.sessionId } : {};
  return { truncated: true, omittedChars, totalChars, totalLines, lostBytes, ...session };
}

function explainCut(view: OutputView, { run, canYield }: EndedRun): string {
  if (view.omittedChars === 0) return "";
  const size = `${view.totalChars} ${plural("character", view.totalChars)} in ${view.totalLines} ${plural("line", view.totalLines)}`;
  const what = `[The start and the end of ${size} are shown.`;
  const next = canYield
    ? `process log with sessionId "${run.sessionId}" and offset ${view.omittedFromLine ?? 0} shows the rest.`
    : "Run it again with head, tail or grep, or with its output in a file that read can page through.";
  const lost = view.lostBytes > 0 ? ` ${view.lostBytes} bytes in the middle are not kept.` : "";
  return `${what} ${next}${lost}]`;
}

function explainExit({ exitCode }: ProcessEnd): string {
  if (exitCode === 0) return "";
  const signal = SIGNAL_CODES.get(exitCode ?? 0);
  const hint = signal ? `, which mostly means that ${signal} ended it` : "";
  return `(Command exited with code ${exitCode}${hint})`;
}

function explainNetwork({ run, end }: EndedRun): string {
  if (run.hosts && end.exitCode !== 0) {
    const problems = [...new Set(run.hosts.problems(run.startedAtMs))];
    if (problems.length > 0) return problems.slice(-MAX_PROBLEMS).join("\n");
  }
  const isCutOff = run.host === "sandbox" && run.hasNetwork !== true;
  if (!isCutOff || end.exitCode === 0) return "";
  if (!NETWORK_FAILURE.test(run.output.tail(SEARCH_CHARS))) return "";
  return run.hosts
    ? `Commands in the sandbox reach only ${run.hosts.allowed.join(", ")}, through the proxy that HTTPS_PROXY names; the owner can add hosts to tools.exec.network.allow.`
    : 'Commands in the sandbox have no network. The owner can allow hosts with tools.exec.network: { "allow": ["registries"] }, or everything with tools.exec.network: true.';
}

function explainWriting({ run, end }: EndedRun): string {
  if (run.host !== "sandbox" || end.exitCode === 0) return "";
  if (!WRITE_FAILURE.test(run.output.tail(SEARCH_CHARS))) return "";
  return "Commands in the sandbox write in the workspace, in /tmp and in an empty home, but not to the settings and hooks of git, to other protected files or to the system; the user can do that outside.";
}

function explainSurvivors({ survivors }: ProcessEnd): string {
  if (survivors === undefined || survivors.length === 0) return "";
  return `Warning: processes that it started could not be ended: ${survivors.join(", ")}.`;
}

/** undefined when the command ended by itself. */
export function explainFailure(
  end: ProcessEnd,
  { startedAtMs }: { readonly startedAtMs: number },
): Failure | undefined {
  const explain = EXPLANATIONS[end.reason];
  const seconds = Math.max(0, (end.timedOutAtMs ?? end.endedAtMs) - startedAtMs) / 1_000;
  return explain(end, roundSeconds(seconds));
}

/** Never 0 for short times. */
function roundSeconds(seconds: number): number {
  if (seconds >= 10) return Math.round(seconds);
  return Number(seconds < 0.1 ? seconds.toPrecision(1) : seconds.toFixed(1));
}
