// Authorises a command: planned, decided by the gate, planned again because files may have changed.

import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import {
  type CommandPlan,
  type CommandPlanner,
  isSingleProgram,
  type PlannedCommand,
  renderPlan,
  toSpawn,
} from "../../../core/command/index.js";
import {
  type CommandGate,
  type GateRequest,
  type StartRequest,
  ToolError,
} from "../../../core/index.js";
import { isInside } from "../../../lib/paths.js";
import type { LaunchWork } from "../launch/inner-script.js";

const MAX_COMMAND_BYTES = 128 * 1_024;
/** Used when the rules changed between two checks. */
const NOT_READ: PlannedCommand = {
  ok: false,
  refusal: { reason: "command_unreadable", message: "The rules were just changed; run it again." },
};

type CommandQuestion = Omit<GateRequest, "plan" | "refusal"> & Pick<StartRequest, "onPass">;

interface AuthoriseDeps {
  readonly planner: CommandPlanner;
  readonly gate: CommandGate;
}

export async function authoriseCommand(
  { planner, gate }: AuthoriseDeps,
  question: CommandQuestion,
) {
  assertCommand(question.command);
  const plan = () => planner.plan(question);
  const planned = (await needsNoPlan(gate, question)) ? NOT_READ : await plan();
  const pass = await gate.authorise({ ...question, ...answerOf(planned) });
  question.onPass?.(pass);
  // A full pass covers any plan.
  const current = pass.by === "full" ? planned : await plan();
  await pass.consume(current.ok ? current.plan : undefined, question);
  const runsText = !current.ok || (pass.by === "full" && question.host === "sandbox");
  const work = runsText ? textOf(question.command) : workOf(current.plan);
  return { work, rule: pass.rule, note: pass.note };
}

/** A sandbox that allows everything runs the text as it is. */
async function needsNoPlan(gate: CommandGate, question: CommandQuestion): Promise<boolean> {
  return question.host === "sandbox" && (await gate.passesAll?.(question)) === true;
}

function answerOf(planned: PlannedCommand) {
  return planned.ok ? { plan: planned.plan } : { refusal: planned.refusal };
}

function textOf(command: string): LaunchWork {
  return { kind: "script", text: command };
}

function workOf(plan: CommandPlan): LaunchWork {
  const [step] = plan.steps;
  if (step === undefined || !isSingleProgram(plan)) {
    return { kind: "script", text: renderPlan(plan) };
  }
  // The rendered text enters the folder of the step.
  if (step.cwd !== plan.cwd) return { kind: "script", text: renderPlan(plan) };
  return { kind: "argv", argv: toSpawn(step) };
}

function assertCommand(command: string): void {
  const bytes = Buffer.byteLength(command);
  if (bytes > MAX_COMMAND_BYTES) {
    throw new ToolError(
      "limit",
      `The command has ${bytes} bytes; put it into a file of at most ${MAX_COMMAND_BYTES} and run that.`,
      { reason: "command_too_long" },
    );
  }
  if (command.trim() !== "" && !command.includes("\0")) return;
  throw new ToolError(
    "invalid_input",
    "The command is empty or has a NUL in it; write a command.",
    {
      reason: "command_invalid",
    },
  );
}

interface WorkdirRequest {
  readonly root: string;
  readonly workdir: string | undefined;
  readonly isSandbox: boolean;
}

/** Absolute, links resolved. A missing folder is refused, never replaced. */
export function resolveWorkdir(request: WorkdirRequest): string {
  const { root, workdir, isSandbox } = request;
  if (workdir === undefined) return realFolder(root, root);
  if (workdir.includes("\0")) throw invalid("workdir has a NUL in it; write it without.");
  const path = realFolder(resolve(root, workdir), workdir);
  if (!isSandbox || isInside(path, realFolder(root, root))) return path;
  throw new ToolError(
    "denied",
    `workdir "${workdir}" is outside of the workspace, where the sandbox has nothing; use a folder of the workspace.`,
    { reason: "workdir_outside_root" },
  );
}

/** Synchronous: the thread pool would take longer. */
function realFolder(path: string, shown: string): string {
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new ToolError("not_found", `The folder "${shown}" does not exist; nothing was run.`, {
      reason: "workdir_missing",
      cause: error,
    });
  }
  throw invalid(`"${shown}" is not a folder; nothing was run.`);
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_input", message, { reason: "workdir_invalid" });
}
