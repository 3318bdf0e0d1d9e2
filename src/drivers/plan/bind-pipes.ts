// What a pipe carries into a program that may run it: the files that the steps before it name are
// bound like scripts.

import { type PlanStep, startsNothing } from "../../core/command/index.js";
import { bindFiles } from "./bind-files.js";
import { hashStep } from "./hash.js";

export interface PipePlace {
  readonly root: string;
  readonly signal: AbortSignal;
}

export async function bindPipes(
  steps: readonly PlanStep[],
  place: PipePlace,
): Promise<readonly PlanStep[]> {
  const bound: PlanStep[] = [];
  for (const [index, step] of steps.entries()) {
    bound.push(feedsRunner(steps, index) ? await bindStep(step, place) : step);
  }
  return bound;
}

/** Whether a step behind it in the same pipeline may run what it is given. */
function feedsRunner(steps: readonly PlanStep[], index: number): boolean {
  for (let at = index; steps[at]?.join === "|"; at += 1) {
    const next = steps[at + 1];
    if (next !== undefined && mayRunInput(next)) return true;
  }
  return false;
}

function mayRunInput(step: PlanStep): boolean {
  const isOwn = step.facts?.own !== undefined;
  return isOwn || !startsNothing(namesOf(step), step.argv.slice(1));
}

async function bindStep(step: PlanStep, { root, signal }: PipePlace): Promise<PlanStep> {
  const { facts, argv, redirects, cwd, scripts } = step;
  if (facts === undefined) return step;
  const before = facts.files ?? [];
  const known = [...scripts, ...before].map(({ path }) => path);
  const args = argv.slice(1);
  const found = await bindFiles({
    ...{ names: namesOf(step), args, redirects, cwd, root, known, signal },
  });
  const files = [...before, ...found.files];
  const unbound = facts.unbound ?? found.unbound;
  const next = { ...facts, files, ...(unbound === undefined ? {} : { unbound }) };
  const sealed = { ...step, facts: next };
  return { ...sealed, facts: { ...next, exactHash: hashStep(sealed) } };
}

function namesOf({ facts, program }: PlanStep) {
  return { file: facts?.file ?? program.path, path: program.path };
}
