// What the grants say about one request, which grants would change it, and the pass for what was allowed.

import { hash } from "node:crypto";
import {
  type CommandDecision,
  type CommandPlan,
  decidePlan,
  findTurningVariable,
  grantFor,
  isExactPattern,
  type PlanStep,
  showInput,
  showWord,
} from "../../core/command/index.js";
import type {
  Clock,
  CommandGrant,
  GatePass,
  GateRequest,
  RunSurroundings,
} from "../../core/index.js";
import { mismatch } from "./errors.js";
import type { EffectiveRules, NamedEntry } from "./grants/document.js";
import type { RequestTable } from "./requests/table.js";

const UNREAD = { reason: "command_unreadable", message: "The command could not be read." } as const;
/** A word without a path or shell syntax. */
const PLAIN_VALUE = /^[\w.,:+@%=-]*$/;

export interface DecisionGround {
  readonly home?: string | undefined;
  readonly safeBins?: readonly string[] | undefined;
  readonly trustedDirs?: readonly string[] | undefined;
}

export type Rules = Pick<EffectiveRules, "security" | "ask" | "entries">;

export type Judged = Pick<GateRequest, "plan" | "refusal" | "env">;

export function decide(
  { refusal = UNREAD, ...request }: Judged,
  { rules, ground }: { readonly rules: Rules; readonly ground: DecisionGround },
): CommandDecision {
  const { home, safeBins, trustedDirs } = ground;
  const plan = request.plan && bindVariables(request.plan, request.env);
  const planned =
    plan === undefined ? ({ ok: false, refusal } as const) : ({ ok: true, plan } as const);
  const { env } = request;
  return decidePlan({ planned, env, home, safeBins, trustedDirs, ...rules });
}

export function usedEntries({ steps }: CommandDecision): string[] {
  return steps.flatMap((step) => (step.covered ? (step.entry?.id ?? []) : []));
}

/** Whether a grant that allowed it depends on file contents. */
export function bindsContent({ steps }: CommandDecision): boolean {
  return steps.some((step) => step.covered && isExactPattern(step.entry?.argPattern ?? ""));
}

export interface Proposal {
  readonly grants: readonly CommandGrant[];
  readonly onceBecause?: string;
}

/** What `allow-always` would save: only what is missing, and only if it is enough. */
export function proposeGrants(
  request: Judged,
  basis: { readonly rules: Rules; readonly ground: DecisionGround },
): Proposal {
  const { rules } = basis;
  const { plan, env, refusal = UNREAD } = request;
  if (rules.ask === "always") return once('every command is asked about (ask "always")');
  if (plan === undefined) return once(`only what can be read is saved: ${refusal.message}`);
  const variable = findReachingVariable(env);
  if (variable !== undefined) {
    return once(`the variable ${showWord(variable)} may name files or programs`);
  }
  const { steps } = decide(request, basis);
  const names = Object.keys(env).sort().map(showWord);
  const variables = names.length === 0 ? "" : ` with the variables ${names.join(" ")}`;
  const added = variables + showInput(plan.input);
  const missing = grantFor(bindVariables(plan, env)).filter(
    (_, index) => steps[index]?.covered !== true,
  );
  const grants: CommandGrant[] = [];
  for (const step of missing) {
    if (!step.ok) return once(step.why);
    const { pattern, argPattern } = step.entry;
    grants.push({ pattern, argPattern, shown: step.shown + added });
  }
  const entries = [...rules.entries, ...grants.map(toEntry)];
  const after = decide(request, { ...basis, rules: { ...rules, entries } });
  return after.outcome === "allow" ? { grants } : once(after.message);
}

/** No hash would cover the files that such a variable names. */
function findReachingVariable(env: GateRequest["env"]): string | undefined {
  const found = Object.entries(env).find(
    ([name, value]) => !PLAIN_VALUE.test(value) && findTurningVariable({ [name]: value }),
  );
  return found?.[0];
}

/** As an entry that is not saved yet. */
export function toEntry({ pattern, argPattern }: CommandGrant, index: number): NamedEntry {
  const id = `proposed ${index}`;
  return { id, pattern, ...(argPattern === undefined ? {} : { argPattern }) };
}

function once(onceBecause: string): Proposal {
  return { grants: [], onceBecause };
}

/** Between the answer and the start the command is only planned again. */
const VALID_MS = 60_000;

interface PassSource extends Pick<GatePass, "by" | "rule" | "note"> {
  readonly request: GateRequest;
  readonly clock: Clock;
  /** `words`: files that arguments name may change. Default: `content`. */
  readonly holdsFor?: "content" | "words";
  /** The request that this pass uses up. */
  readonly approval?: { readonly id: string; readonly table: RequestTable };
}

export function createPass(source: PassSource): GatePass {
  const { by, rule, note, request, clock, approval, holdsFor = "content" } = source;
  const toHeld = (plan: CommandPlan | undefined) =>
    holdsFor === "words" ? withoutFiles(plan) : plan;
  const validUntilMs = clock.now() + VALID_MS;
  const { command } = request;
  let isUsed = false;
  return {
    by,
    rule,
    ...(note === undefined ? {} : { note }),
    ...(approval === undefined ? {} : { approvalId: approval.id }),
    async consume(plan, run) {
      if (isUsed) throw mismatch(command, "its approval was used");
      // Also after a failure, so that it is checked again.
      isUsed = true;
      if (clock.now() >= validUntilMs) throw mismatch(command, "too much time has passed");
      const change =
        findPlanChange(toHeld(request.plan), toHeld(plan)) ??
        (run && findSurroundingsChange(request, run));
      if (change !== undefined) throw mismatch(command, change);
      if (approval && !(await approval.table.use(approval.id))) {
        throw mismatch(command, "its approval was used");
      }
    },
  };
}

const OTHER_INPUT = "how its input is connected has changed";

/** A hash of everything that is approved. */
export function toBinding(request: GateRequest): string {
  const { plan, command, cwd, host, env, input, agentId, sessionKey } = request;
  const what = plan === undefined ? { command, input } : { plan: plan.hash };
  return hashOf([what, cwd, host, sortedEnv(env), agentId ?? null, sessionKey ?? null]);
}

/** Adds the variables of the call to the hashes of exact grants. */
function bindVariables(plan: CommandPlan, env: GateRequest["env"]): CommandPlan {
  if (Object.keys(env).length === 0) return plan;
  const steps = plan.steps.map((step) => {
    const exactHash = hashOf([step.facts.exactHash, sortedEnv(env)]);
    return { ...step, facts: { ...step.facts, exactHash } };
  });
  return { ...plan, steps };
}

/** Without the files that arguments name, which may change at any time. */
function withoutFiles(plan: CommandPlan | undefined): CommandPlan | undefined {
  if (plan === undefined) return undefined;
  const steps = plan.steps.map((step) => {
    const { files: _, unbound: __, ...facts } = step.facts;
    return { ...step, facts: { ...facts, exactHash: "" } };
  });
  return { ...plan, steps, hash: hashOf([plan.cwd, plan.root, steps, plan.input]) };
}

function findPlanChange(
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

function findSurroundingsChange(
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
  return differs(before.facts.files, after.facts.files)
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
