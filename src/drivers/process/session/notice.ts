// What is reported when a background command has ended and no one has asked for it: once.

import type { ProcessEnd, ProcessRun } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";

const MAX_TAIL_CHARS = 400;
const MAX_COMMAND_CHARS = 80;

export interface ProcessNotice {
  readonly sessionId: string;
  readonly name: string;
  readonly command: string;
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
  readonly status: "completed" | "failed" | "interrupted";
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
  /** One line for a model. */
  readonly text: string;
}

export type NoticedRun = Pick<ProcessRun, "sessionId" | "name" | "command" | "output"> &
  Pick<ProcessNotice, "agentId" | "sessionKey">;

export function noticeOf(run: NoticedRun, end: ProcessEnd): ProcessNotice {
  const { sessionId, name, command, agentId, sessionKey } = run;
  const { exitCode, exitSignal } = end;
  const status = statusOf(end);
  const tail = run.output.tail(MAX_TAIL_CHARS).replace(/\s+/g, " ").trim();
  const shown = toPrintable(command.replace(/\s+/g, " ").trim(), MAX_COMMAND_CHARS);
  const text = `Exec ${status} (${sessionId}, ${describeEnd(end)}): ${shown}${tail === "" ? "" : ` :: ${tail}`}`;
  return { sessionId, name, command, agentId, sessionKey, status, exitCode, exitSignal, text };
}

function statusOf({ reason, exitCode }: ProcessEnd): ProcessNotice["status"] {
  if (reason === "interrupted") return "interrupted";
  return reason === "exit" && exitCode === 0 ? "completed" : "failed";
}

function describeEnd({ reason, exitCode, exitSignal }: ProcessEnd): string {
  if (reason === "interrupted") return "outcome unknown";
  if (reason === "timeout") return "timed out";
  if (exitSignal !== undefined) return `signal ${exitSignal}`;
  return exitCode === undefined ? reason : `code ${exitCode}`;
}
