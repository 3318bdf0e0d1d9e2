// Turns a command into a plan: scans it, then finds its programs, patterns, folders and files.

import {
  type CommandPlan,
  type CommandPlanner,
  type CommandRefusal,
  namesOf,
  type PlanRequest,
  type PlanStep,
  Refused,
  refuse,
  type ScannedStep,
  scanCommand,
  startsNothing,
} from "../../core/command/index.js";
import {
  createProtection,
  PROTECTED_NAMES,
  type Protection,
  toPlainPath,
} from "../../core/files/index.js";
import { abortError } from "../../core/index.js";
import { isInside } from "../../lib/paths.js";
import { wholeRealPath } from "../../lib/system/real-path.js";
import { bindFiles } from "./bind-files.js";
import { createGlobBudget } from "./expand-glob.js";
import { hashStep, sealPlan } from "./hash.js";
import { realFolder, toAbsolute } from "./look.js";
import { type PlanContext, planStep } from "./plan-step.js";

const UNREADABLE = "file_unreadable";

export interface CommandPlannerOptions {
  /** Absolute. Patterns, folders and redirects stay inside. */
  readonly root: string;
  /** Absolute, in order. */
  readonly searchPath: readonly string[];
  /** Default: protected names. */
  readonly protection?: Protection;
  /** Default: this process. */
  readonly userId?: number;
}

export function createCommandPlanner(options: CommandPlannerOptions): CommandPlanner {
  return {
    async plan(request) {
      if (request.signal.aborted) throw abortError();
      try {
        return { ok: true, plan: await planCommand(request, options) };
      } catch (cause) {
        if (request.signal.aborted) throw abortError();
        return { ok: false, refusal: cause instanceof Refused ? cause.refusal : unreadable(cause) };
      }
    },
  };
}

async function planCommand(
  request: PlanRequest,
  options: CommandPlannerOptions,
): Promise<CommandPlan> {
  const { command, signal } = request;
  const scanned = scanCommand(command);
  if (!scanned.ok) throw new Refused(scanned.refusal);
  const places = findPlaces(request.cwd, options.root);
  const entered = enterFolders(scanned.steps, places);
  const { userId = process.getuid?.() ?? 0, searchPath } = options;
  const context = {
    root: places.root,
    cwd: entered.cwd,
    searchPath,
    userId,
    signal,
    globBudget: createGlobBudget(),
    protection:
      options.protection ?? createProtection({ base: places.root, names: PROTECTED_NAMES }),
  };
  const steps = await planSteps(entered.steps, context);
  return { command, ...sealPlan({ ...places, steps }, request.input) };
}

function unreadable(cause: unknown): CommandRefusal {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `The command names a file that cannot be examined: ${why}.`;
  return { reason: UNREADABLE, message };
}

function findPlaces(cwd: string, root: string): { cwd: string; root: string } {
  try {
    return { cwd: wholeRealPath(cwd), root: wholeRealPath(root) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return refuse("folder_missing", `The folder of the command cannot be found: ${why}.`);
  }
}

async function planSteps(
  scanned: readonly ScannedStep[],
  context: PlanContext,
): Promise<readonly PlanStep[]> {
  const steps: PlanStep[] = [];
  let mayHaveChanged = false;
  for (const step of scanned) {
    const planned = await planStep(step, { ...context, mayHaveChanged });
    steps.push(planned.step);
    mayHaveChanged ||= planned.mayChangeFiles;
  }
  return bindPipes(steps, context);
}

interface PipePlace {
  readonly root: string;
  readonly signal: AbortSignal;
}

async function bindPipes(
  steps: readonly PlanStep[],
  place: PipePlace,
): Promise<readonly PlanStep[]> {
  const bound: PlanStep[] = [];
  for (const [index, step] of steps.entries()) {
    bound.push(feedsRunner(steps, index) ? await bindStep(step, place) : step);
  }
  return bound;
}

/** Whether a later step of the pipeline may run its input. */
function feedsRunner(steps: readonly PlanStep[], index: number): boolean {
  for (let at = index; steps[at]?.join === "|"; at += 1) {
    const next = steps[at + 1];
    if (next !== undefined && mayRunInput(next)) return true;
  }
  return false;
}

function mayRunInput(step: PlanStep): boolean {
  const isOwn = step.facts.own !== undefined;
  return isOwn || !startsNothing(namesOf(step), step.argv.slice(1));
}

async function bindStep(step: PlanStep, { root, signal }: PipePlace): Promise<PlanStep> {
  const { facts, argv, redirects, cwd, scripts } = step;
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

interface EnteredFolder {
  /** Without `cd`; at least one. */
  readonly steps: readonly ScannedStep[];
  readonly cwd: string;
}

function enterFolders(
  steps: readonly ScannedStep[],
  place: { readonly cwd: string; readonly root: string },
): EnteredFolder {
  let cwd = place.cwd;
  for (const [index, step] of steps.entries()) {
    if (step.words[0].text !== "cd") return { steps: steps.slice(index), cwd };
    cwd = enterFolder(step, { ...place, cwd });
  }
  return refuse("folder_change", "A cd alone changes nothing; give the folder as workdir.");
}

function enterFolder(
  step: ScannedStep,
  place: { readonly cwd: string; readonly root: string },
): string {
  const words = step.words.slice(1);
  const [target, ...more] = words[0]?.text === "--" ? words.slice(1) : words;
  const isRead =
    target !== undefined &&
    more.length === 0 &&
    target.pattern === undefined &&
    target.text !== "" &&
    !target.text.startsWith("-");
  if (!isRead) refuse("folder_change", "Only cd with one folder is read here.");
  if (step.redirects.length > 0 || (step.join !== "&&" && step.join !== ";")) {
    refuse("folder_change", 'cd is read only before "&&" or ";" and without redirects.');
  }
  const folder = findFolder(target.text, place.cwd);
  if (isInside(folder, place.root)) return folder;
  return refuse("folder_outside_root", `The folder "${target.text}" is outside of the root.`);
}

/** A shell removes dots in the text, the system follows links; where they differ it is refused. */
function findFolder(text: string, cwd: string): string {
  const byText = realFolder(toPlainPath(text, cwd));
  const bySystem = realFolder(toAbsolute(text, cwd));
  if (byText === undefined || bySystem === undefined) {
    return refuse("folder_missing", `The folder "${text}" does not exist.`);
  }
  if (byText === bySystem) return byText;
  return refuse("folder_change", `"${text}" leads through a link and back; name the folder.`);
}
