// What an approval holds for, as one hash; and what differs when it does not hold any more.

import { hash } from "node:crypto";
import type { CommandPlan, PlanStep } from "../../core/command/index.js";
import type { GateRequest, RunSurroundings } from "../../core/index.js";

const OTHER_INPUT = "how its input is connected has changed";

/** Of everything that is approved: plan or text, folder, host, environment, input, who asks. */
export function toBinding(request: GateRequest): string {
  const { plan, command, cwd, host, env, input, agentId, sessionKey } = request;
  const what = plan === undefined ? { command, input } : { plan: plan.hash };
  return hashOf([what, cwd, host, sortedEnv(env), agentId ?? null, sessionKey ?? null]);
}

/** The plan with the variables of the call in what exact grants are bound to. */
export function bindVariables(plan: CommandPlan, env: GateRequest["env"]): CommandPlan {
  if (Object.keys(env).length === 0) return plan;
  const steps = plan.steps.map((step) => {
    if (step.facts === undefined) return step;
    const exactHash = hashOf([step.facts.exactHash, sortedEnv(env)]);
    return { ...step, facts: { ...step.facts, exactHash } };
  });
  return { ...plan, steps };
}

/** The plan without what arguments name: a log or a database may change at any moment. */
export function withoutFiles(plan: CommandPlan | undefined): CommandPlan | undefined {
  if (plan === undefined) return undefined;
  const steps = plan.steps.map((step) => {
    if (step.facts === undefined) return step;
    const { files: _, unbound: __, ...facts } = step.facts;
    return { ...step, facts: { ...facts, exactHash: "" } };
  });
  return { ...plan, steps, hash: hashOf([plan.cwd, plan.root ?? null, steps, plan.input]) };
}

/** undefined when the plan is the same. */
export function findPlanChange(
  before: CommandPlan | undefined,
  after: CommandPlan | undefined,
): string | undefined {
  if (before?.hash === after?.hash) return undefined;
  if (before === undefined || after === undefined) return "what the command means has changed";
  if (before.cwd !== after.cwd) return "its working folder has changed";
  if (before.input !== after.input) return OTHER_INPUT;
  if (before.steps.length !== after.steps.length) return "its steps have changed";
  const changes = before.steps.flatMap((step, index) => {
    const other = after.steps[index];
    return (other && findStepChange(step, other)) ?? [];
  });
  return changes[0] ?? "the plan of it has changed";
}

export function findSurroundingsChange(
  before: RunSurroundings,
  after: RunSurroundings,
): string | undefined {
  if (before.command !== after.command) return "its text has changed";
  if (before.cwd !== after.cwd) return "its working folder has changed";
  if (before.host !== after.host) return "where it runs has changed";
  if (before.input !== after.input) return OTHER_INPUT;
  if (before.env === after.env) return undefined;
  return differs(sortedEnv(before.env), sortedEnv(after.env))
    ? "its environment has changed"
    : undefined;
}

const PARTS = {
  cwd: "the folder of a step has changed",
  argv: "its arguments have changed",
  scripts: "a script that it runs has changed",
  redirects: "a file that it reads or writes has changed",
  join: "its steps have changed",
} as const satisfies Partial<Record<keyof PlanStep, string>>;

function findStepChange(before: PlanStep, after: PlanStep): string | undefined {
  if (before.program.path !== after.program.path) {
    return `${before.argv[0]} is another program now (${after.program.path})`;
  }
  if (differs(before.program, after.program)) return `${before.program.path} has changed`;
  const found = Object.entries(PARTS).find(([name]) =>
    differs(Reflect.get(before, name), Reflect.get(after, name)),
  );
  if (found !== undefined) return found[1];
  return differs(before.facts?.files, after.facts?.files)
    ? "a file that its arguments name has changed"
    : undefined;
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

function sortedEnv(env: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1));
}

function hashOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value));
}
