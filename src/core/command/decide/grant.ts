// What "allow always" would save for a plan: for each step an entry that is bound to exactly this
// program, these arguments, this folder and these scripts; or why none can be saved.

import type { CommandPlan, PlanStep } from "../plan.js";
import { isInterpreter, isWrapper, type ProgramNames } from "../profiles/programs.js";
import { findScriptWord, isKnownHarmless, mayStartOthers } from "../profiles/run-files.js";
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

/** One for each step, in order. */
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
  const names = { file: facts?.file ?? program.path, path: program.path };
  const [name = "", ...args] = argv;
  if (isWrapper(names)) return `"${name}" starts another program, which the entry could not name`;
  const called = name.slice(name.lastIndexOf("/") + 1);
  const isFetching = MANAGERS.test(called) && FETCHING.test(args[0] ?? "");
  if (FETCHERS.test(called) || isFetching) return `"${name}" fetches the program that it runs`;
  if (facts?.unbound !== undefined) return facts.unbound;
  if (isKnownHarmless(names, args)) return undefined;
  if (isInterpreter(names)) return refuseInterpreter(step, names);
  return mayStartOthers(names, args)
    ? `"${name}" can start programs that its arguments or its files name`
    : undefined;
}

/** Only a script that is told by its place in the arguments, and whose content is bound. */
function refuseInterpreter({ argv, facts }: PlanStep, names: ProgramNames): string | undefined {
  const [name = "", ...args] = argv;
  const script = findScriptWord(names, args);
  if (script !== undefined && script === facts?.script) return undefined;
  return script === undefined && args.some((word) => INLINE_CODE.test(word))
    ? `"${name}" is given code in its arguments`
    : `"${name}" is given no script whose content could be bound`;
}
