// From the text of a command to what may start: read into a plan, put before the gate, read again
// because files may have changed while a person thought, and only then taken.

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
import type { LaunchWork } from "../launch/inner-script.js";

const MAX_COMMAND_BYTES = 128 * 1_024;
/** Reported only when the rules were tightened between two looks at them. */
const NOT_READ: PlannedCommand = {
  ok: false,
  refusal: { reason: "command_unreadable", message: "The rules were just changed; run it again." },
};

export type CommandQuestion = Omit<GateRequest, "plan" | "refusal"> & Pick<StartRequest, "onPass">;

export interface AuthoriseDeps {
  readonly planner: CommandPlanner;
  readonly gate: CommandGate;
}

export interface AuthorisedCommand {
  readonly work: LaunchWork;
  /** What let it through, in words. */
  readonly rule: string;
  /** What anyone who asked for it should know. */
  readonly note: string | undefined;
}

export async function authoriseCommand(
  { planner, gate }: AuthoriseDeps,
  question: CommandQuestion,
): Promise<AuthorisedCommand> {
  assertCommand(question.command);
  const plan = () => planner.plan(question);
  const planned = (await needsNoPlan(gate, question)) ? NOT_READ : await plan();
  const pass = await gate.authorise({ ...question, ...answerOf(planned) });
  question.onPass?.(pass);
  // A pass for everything holds for whatever the command has become.
  const current = pass.by === "full" ? planned : await plan();
  await pass.consume(current.ok ? current.plan : undefined, question);
  const runsText = !current.ok || (pass.by === "full" && question.host === "sandbox");
  const work = runsText ? textOf(question.command) : workOf(current.plan);
  return { work, rule: pass.rule, note: pass.note };
}

/** Where the text runs as it is and whatever it is, nothing depends on what it means. */
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
  // A step of another folder enters it by the rendering.
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
