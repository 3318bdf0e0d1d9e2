// Decides whether a command is allowed, asked about or denied. Pure; the gate does the asking.

import type { CommandAsk, CommandSecurity } from "../../ports/approver.js";
import type { CommandPlan, PlannedCommand, PlanStep } from "../plan.js";
import {
  isInstalled,
  isInterpreter,
  isShim,
  isSteering,
  isWrapper,
  namesOf,
  type ProgramNames,
  readStep,
} from "../profiles/programs.js";
import { findScriptWord, startsNothing } from "../profiles/run-files.js";
import { showWord } from "../show.js";
import { type CoverContext, coverStep, type StepCoverage } from "./cover-step.js";
import { type AllowEntry, isExactPattern, toExactPattern } from "./match-entry.js";

interface DecideRequest extends Omit<CoverContext, "root"> {
  readonly planned: PlannedCommand;
  readonly security: CommandSecurity;
  readonly ask: CommandAsk;
}

export interface CommandDecision {
  readonly outcome: "allow" | "ask" | "deny";
  /** `full`, `covered`, `always`, `security_deny`, `allowlist_miss`, `command_unreadable`. */
  readonly reason: string;
  readonly message: string;
  readonly steps: readonly StepCoverage[];
}

const ASKED_ALWAYS = 'Every command is asked about, because ask is "always".';

const UNSHOWABLE: ReadonlySet<string> = new Set([
  "command_too_long",
  "too_many_commands",
  "control_character",
  "broken_text",
]);

export function decidePlan(request: DecideRequest): CommandDecision {
  const { planned, security, ask } = request;
  if (security === "deny") {
    return { outcome: "deny", reason: "security_deny", message: "Commands are off.", steps: [] };
  }
  const asksOrRefuses = security === "allowlist" || ask === "always";
  if (asksOrRefuses && !planned.ok && UNSHOWABLE.has(planned.refusal.reason)) {
    return deny("command_unreadable", { message: planned.refusal.message });
  }
  if (security === "full") {
    const message = "Every command may run.";
    return pass("full", { ask, message, steps: [] });
  }
  if (!planned.ok) {
    const { message } = planned.refusal;
    return ask === "off"
      ? deny("command_unreadable", { message })
      : { outcome: "ask", reason: "command_unreadable", message, steps: [] };
  }
  return decideSteps(planned.plan, request);
}

function pass(
  by: "full" | "covered",
  facts: { readonly ask: CommandAsk } & Pick<CommandDecision, "message" | "steps">,
): CommandDecision {
  const { ask, message, steps } = facts;
  if (ask !== "always") return { outcome: "allow", reason: by, message, steps };
  return { outcome: "ask", reason: ask, message: ASKED_ALWAYS, steps };
}

function deny(
  reason: string,
  facts: { readonly message: string; readonly steps?: readonly StepCoverage[] },
): CommandDecision {
  return { outcome: "deny", reason, message: facts.message, steps: facts.steps ?? [] };
}

function decideSteps(plan: CommandPlan, request: DecideRequest): CommandDecision {
  const steps = plan.steps.map((step, index) => {
    const coverage = coverStep(step, { ...request, root: plan.root });
    return isStale(coverage, { plan, index }) ? STALE : coverage;
  });
  const missing = steps.findIndex((step) => !step.covered);
  if (missing === -1 && steps.length > 0) {
    const rules = steps.flatMap((step) => (step.covered ? [step.rule] : []));
    const message = `Allowed by ${[...new Set(rules)].join(", ")}.`;
    return pass("covered", { ask: request.ask, message, steps });
  }
  const name = plan.steps[missing]?.argv[0] ?? "";
  const coverage = steps[missing];
  const why = coverage?.covered === false ? coverage.why : "it has no step";
  const always = request.ask === "always" ? ` ${ASKED_ALWAYS}` : "";
  const message = `"${name}" is not allowed as it is: ${why}.${always}`;
  return request.ask === "off"
    ? deny("allowlist_miss", { message, steps })
    : { outcome: "ask", reason: "allowlist_miss", message, steps };
}

const STALE: StepCoverage = {
  covered: false,
  why: "it runs files of the workspace, and the same command line may write them",
};

function isStale(coverage: StepCoverage, { plan, index }: StepPlace): boolean {
  const step = plan.steps[index];
  if (!coverage.covered || step === undefined) return false;
  if (runsWorkspaceCode(step) && anyBefore({ plan, index }, writes)) return true;
  const isExact = isExactPattern(coverage.entry?.argPattern ?? "");
  return isExact && bindsContent(step) && anyBefore({ plan, index }, mayWrite);
}

interface StepPlace {
  readonly plan: CommandPlan;
  readonly index: number;
}

function bindsContent({ scripts, facts, program }: PlanStep): boolean {
  return scripts.length > 0 || facts.files !== undefined || program.contentHash !== undefined;
}

function runsWorkspaceCode(step: PlanStep): boolean {
  if (step.scripts.length > 0) return true;
  return isSteering(namesOf(step)) && readStep(step)?.ok !== true;
}

function anyBefore({ plan, index }: StepPlace, judge: (step: PlanStep) => boolean): boolean {
  const end = plan.steps.findIndex((step, at) => at >= index && step.join !== "|");
  const before = plan.steps.slice(0, end === -1 ? undefined : end + 1);
  return before.some((step, at) => at !== index && judge(step));
}

function writes(step: PlanStep): boolean {
  const writesFile = step.redirects.some(({ kind }) => kind === "write" || kind === "append");
  const reading = readStep(step);
  const isWriter = reading?.ok === true && reading.paths.some(({ use }) => use === "write");
  return writesFile || isWriter;
}

function mayWrite(step: PlanStep): boolean {
  return writes(step) || readStep(step)?.ok !== true;
}

type StepGrant =
  | {
      readonly ok: true;
      readonly entry: AllowEntry & { readonly argPattern: string; readonly source: "allow-always" };
      readonly shown: string;
    }
  | { readonly ok: false; readonly why: string };

const INLINE_CODE =
  /^-(?:-?(?:eval|print|command|exec|run|code|require|import)\b|[a-zA-Z]*[ceprEMmRB])/;
const FETCHERS = /^(?:npx|npx-cli\.js|pnpx|uvx|bunx)$/;
const MANAGERS = /^(?:npm|pnpm|yarn|bun)$/;
const FETCHING = /^(?:exec|dlx|x|create|init)$/;

export function grantFor(plan: CommandPlan): readonly StepGrant[] {
  return plan.steps.map(grantStep);
}

function grantStep(step: PlanStep): StepGrant {
  const why = refuseGrant(step);
  if (why !== undefined) return { ok: false, why };
  const { file, exactHash } = step.facts;
  return {
    ok: true,
    entry: {
      pattern: step.program.path,
      argPattern: toExactPattern(exactHash),
      source: "allow-always",
    },
    shown: `${[file, ...step.argv.slice(1)].map(showWord).join(" ")} in ${showWord(step.cwd)}`,
  };
}

function refuseGrant(step: PlanStep): string | undefined {
  const { argv, facts } = step;
  const names = namesOf(step);
  const [name = "", ...args] = argv;
  if (isWrapper(names)) return `"${name}" starts another program, which the entry could not name`;
  if (isShim(names)) return `"${name}" means another program, and a file says for which`;
  const called = name.slice(name.lastIndexOf("/") + 1);
  const isFetching = MANAGERS.test(called) && FETCHING.test(args[0] ?? "");
  if (FETCHERS.test(called) || isFetching) return `"${name}" fetches the program that it runs`;
  if (facts.unbound !== undefined) return facts.unbound;
  return facts.own === "bound" || facts.own === "unbound"
    ? refuseOwn(step, names)
    : refuseForeign(step, facts.own === "link" ? { file: names.path, path: names.path } : names);
}

function refuseOwn(step: PlanStep, names: ProgramNames): string | undefined {
  const name = step.argv[0] ?? "";
  if (step.facts.own !== "bound") {
    return `"${name}" is neither a binary nor a script whose "#!" line names a known interpreter and bound files`;
  }
  if (isInterpreter(names)) return refuseInterpreter(step, names);
  return isSteering(names) ? startsOthers(name) : undefined;
}

function refuseForeign(step: PlanStep, names: ProgramNames): string | undefined {
  const [name = "", ...args] = step.argv;
  if (isReplaceable(step, names)) {
    return `"${name}" is named by its path and is where no programs are installed`;
  }
  if (startsNothing(names, args)) return undefined;
  if (isInterpreter(names)) return refuseInterpreter(step, names);
  if (isSteering(names)) return startsOthers(name);
  const place = showWord(step.program.path);
  return `no profile knows what "${name}" runs with these arguments; to allow it for good, write an entry for ${place} with an argPattern`;
}

function isReplaceable({ facts, scripts, program }: PlanStep, names: ProgramNames): boolean {
  const isBound =
    program.contentHash !== undefined || scripts.some(({ path }) => path === program.path);
  return facts.lookup === "path" && !isBound && !isInstalled(names);
}

function startsOthers(name: string): string {
  return `"${name}" can start programs that its arguments or its files name`;
}

function refuseInterpreter({ argv, facts }: PlanStep, names: ProgramNames): string | undefined {
  const [name = "", ...args] = argv;
  const script = findScriptWord(names, args);
  if (script !== undefined && script === facts.script) {
    const isRunner = isSteering({ file: script, path: script });
    return isRunner ? startsOthers(script) : undefined;
  }
  return script === undefined && args.some((word) => INLINE_CODE.test(word))
    ? `"${name}" is given code in its arguments`
    : `"${name}" is given no script of the workspace whose content could be bound`;
}
