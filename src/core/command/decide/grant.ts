// What "allow always" would save for a plan: for each step an entry that is bound to exactly this
// program, these arguments, this folder and these scripts; or why none can be saved.

import type { CommandPlan, PlanStep } from "../plan.js";
import {
  isInstalled,
  isInterpreter,
  isShim,
  isSteering,
  isWrapper,
  type ProgramNames,
} from "../profiles/programs.js";
import { findScriptWord, startsNothing } from "../profiles/run-files.js";
import { showWord } from "../show.js";
import { toExactPattern } from "./arg-pattern.js";
import type { AllowEntry } from "./match-entry.js";

export type StepGrant =
  | {
      readonly ok: true;
      readonly entry: AllowEntry & { readonly argPattern: string; readonly source: "allow-always" };
      /** For people: which words the entry will let through. */
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
  if (why !== undefined || step.facts === undefined) {
    return { ok: false, why: why ?? "nothing was looked up for it" };
  }
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
  const { argv, program, facts } = step;
  const { path } = program;
  const names = { file: facts?.file ?? path, path };
  const [name = "", ...args] = argv;
  if (isWrapper(names)) return `"${name}" starts another program, which the entry could not name`;
  if (isShim(names)) return `"${name}" means another program, and a file says for which`;
  const called = name.slice(name.lastIndexOf("/") + 1);
  const isFetching = MANAGERS.test(called) && FETCHING.test(args[0] ?? "");
  if (FETCHERS.test(called) || isFetching) return `"${name}" fetches the program that it runs`;
  if (facts?.unbound !== undefined) return facts.unbound;
  return facts?.own === "bound" || facts?.own === "unbound"
    ? refuseOwn(step, names)
    : refuseForeign(step, facts?.own === "link" ? { file: path, path } : names);
}

function refuseOwn(step: PlanStep, names: ProgramNames): string | undefined {
  const name = step.argv[0] ?? "";
  if (step.facts?.own !== "bound") {
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
  return facts?.lookup === "path" && !isBound && !isInstalled(names);
}

function startsOthers(name: string): string {
  return `"${name}" can start programs that its arguments or its files name`;
}

function refuseInterpreter({ argv, facts }: PlanStep, names: ProgramNames): string | undefined {
  const [name = "", ...args] = argv;
  const script = findScriptWord(names, args);
  if (script !== undefined && script === facts?.script) {
    const isRunner = isSteering({ file: script, path: script });
    return isRunner ? startsOthers(script) : undefined;
  }
  return script === undefined && args.some((word) => INLINE_CODE.test(word))
    ? `"${name}" is given code in its arguments`
    : `"${name}" is given no script of the workspace whose content could be bound`;
}
