// What is told of a command that has ended: its output within the limits, how it ended, and what to
// do about what is missing.

import {
  type OutputView,
  type ProcessEnd,
  type ProcessRun,
  plural,
  type ToolResult,
  textResult,
} from "../../core/index.js";
import { explainFailure, type Failure } from "./explain-failure.js";
import type { ExecCall } from "./index.js";

/** Room for the sentences around the output. */
const RESERVED_CHARS = 1_500;
const NO_OUTPUT = "(no output)";
const NETWORK_FAILURE =
  /could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|getaddrinfo|EAI_AGAIN|ENETUNREACH|unable to resolve host/i;
/** What is mounted read-only says the first, what is mounted by itself, as git's settings, the second. */
const WRITE_FAILURE =
  /read-only file system|EROFS|\.git\/\S+: (?:device or resource busy|permission denied)/i;
/** git takes the author from settings in the home, which the sandbox does not have. */
const AUTHOR_MISSING =
  /(?:author|committer) identity unknown|empty ident name|auto-detect email address/i;
const SEARCH_CHARS = 20_000;
/** A shell, and what contains a command, tells of a signal by 128 and its number. */
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
  /** The model has `process`, so a finished command can be asked about. */
  readonly canYield: boolean;
}

export function showEnd(ended: EndedRun): ToolResult {
  const { call, run, end, notes, canYield } = ended;
  const view = run.output.view(Math.max(0, call.ctx.limits.resultChars - RESERVED_CHARS));
  const failure = explainFailure(end, { startedAtMs: run.startedAtMs });
  // The model is told of the end here, so no notice is due when it is kept for `process log`.
  run.acknowledge();
  if (view.omittedChars > 0 && canYield) run.toBackground();
  const parts = [
    ...notes,
    view.text.trimEnd() || NO_OUTPUT,
    explainCut(view, ended),
    explainExit(end, failure),
    explainNetwork(ended),
    explainWriting(ended),
    explainAuthor(ended),
    explainSurvivors(end),
  ];
  const result = textResult(parts.filter(Boolean).join("\n\n"), {
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

function describeCut(view: OutputView, { run, canYield }: EndedRun): object {
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

function explainExit({ exitCode }: ProcessEnd, failure: Failure | undefined): string {
  if (failure) return failure.text;
  if (exitCode === 0) return "";
  const signal = SIGNAL_CODES.get(exitCode ?? 0);
  const hint = signal ? `, which mostly means that ${signal} ended it` : "";
  return `(Command exited with code ${exitCode}${hint})`;
}

function explainNetwork({ run, end }: EndedRun): string {
  const isCutOff = run.host === "sandbox" && run.hasNetwork !== true;
  if (!isCutOff || end.exitCode === 0) return "";
  if (!NETWORK_FAILURE.test(run.output.tail(SEARCH_CHARS))) return "";
  return "Commands in the sandbox have no network unless the owner sets tools.exec.network: true in the configuration.";
}

function explainWriting({ run, end }: EndedRun): string {
  if (run.host !== "sandbox" || end.exitCode === 0) return "";
  if (!WRITE_FAILURE.test(run.output.tail(SEARCH_CHARS))) return "";
  return "Commands in the sandbox write in the workspace, in /tmp and in an empty home, but not to the settings and hooks of git, to other protected files or to the system; the user can do that outside.";
}

function explainAuthor({ run, end }: EndedRun): string {
  if (run.host !== "sandbox" || end.exitCode === 0) return "";
  if (!AUTHOR_MISSING.test(run.output.tail(SEARCH_CHARS))) return "";
  return "Commands in the sandbox do not see the user's own settings of git: name the author with git -c user.name=NAME -c user.email=ADDRESS commit, or let the user set both for this repository.";
}

function explainSurvivors({ survivors }: ProcessEnd): string {
  if (survivors === undefined || survivors.length === 0) return "";
  return `Warning: processes that it started could not be ended: ${survivors.join(", ")}.`;
}
