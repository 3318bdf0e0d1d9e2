// A plan as text for bash: every word in single quotes, programs by their absolute path, operators
// and redirects as in the plan. What bash makes of it is what the plan says.

import type { CommandPlan, PlanRedirect, PlanStep } from "./plan.js";

export function toSpawn(step: PlanStep): readonly [file: string, ...args: string[]] {
  return [step.facts?.file ?? step.program.path, ...step.argv.slice(1)];
}

export function isSingleProgram({ steps, cwd }: CommandPlan): boolean {
  const [step] = steps;
  return steps.length === 1 && step?.redirects.length === 0 && step.cwd === cwd;
}

export function renderPlan(plan: CommandPlan): string {
  const cwd = plan.steps[0]?.cwd ?? plan.cwd;
  // Without the folder nothing may run, not even what comes after a `;`.
  const enter = cwd === plan.cwd ? "" : `cd -- ${quoteWord(cwd)} || exit 1\n`;
  return enter + plan.steps.map(renderStep).join(" ");
}

function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function renderStep(step: PlanStep): string {
  const words = toSpawn(step).map(quoteWord);
  const parts = [...words, ...step.redirects.map(renderRedirect)];
  return [...parts, ...(step.join === undefined ? [] : [step.join])].join(" ");
}

const SIGNS = { read: "<", write: ">", append: ">>" } as const;

function renderRedirect(redirect: PlanRedirect): string {
  if (redirect.kind === "duplicate") return `${redirect.fd}>&${redirect.target}`;
  return `${redirect.fd}${SIGNS[redirect.kind]}${quoteWord(redirect.path)}`;
}
