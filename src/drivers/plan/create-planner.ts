// Reads a command into a plan: scanned by the grammar of core, then every program, pattern, folder and
// file of it settled on this machine. Planning starts no process.

import { realpathSync } from "node:fs";
import {
  type CommandPlan,
  type CommandPlanner,
  type CommandRefusal,
  type PlannedCommand,
  type PlanRequest,
  type PlanStep,
  type ScannedStep,
  scanCommand,
} from "../../core/command/index.js";
import { createProtection, PROTECTED_NAMES, type Protection } from "../../core/files/index.js";
import { abortError } from "../../core/index.js";
import { bindPipes } from "./bind-pipes.js";
import { enterFolders } from "./enter-folder.js";
import { createGlobBudget } from "./expand-glob.js";
import { sealPlan } from "./hash.js";
import { type PlanContext, planStep } from "./plan-step.js";
import { isRefusal, refuse } from "./refusal.js";

export interface CommandPlannerOptions {
  /** Absolute. Patterns, folders and redirects stay inside of it. */
  readonly root: string;
  /** Absolute folders, in order; see `toSearchPath`. */
  readonly searchPath: readonly string[];
  /** What may not be changed or read; default: what is protected by its name. */
  readonly protection?: Protection;
  /** Whose files are as trustworthy as those of root; default: this process. */
  readonly userId?: number;
}

export function createCommandPlanner(options: CommandPlannerOptions): CommandPlanner {
  return {
    async plan(request) {
      if (request.signal.aborted) throw abortError();
      const planned = await planCommand(request, options).catch((cause: unknown) => {
        if (request.signal.aborted) throw abortError();
        return refuseFile(cause);
      });
      return isRefusal(planned) ? { ok: false, refusal: planned } : { ok: true, plan: planned };
    },
  } satisfies { plan(request: PlanRequest): Promise<PlannedCommand> };
}

async function planCommand(
  request: PlanRequest,
  options: CommandPlannerOptions,
): Promise<CommandPlan | CommandRefusal> {
  const { command, signal } = request;
  const scanned = scanCommand(command);
  if (!scanned.ok) return scanned.refusal;
  const places = findPlaces(request.cwd, options.root);
  if (isRefusal(places)) return places;
  const entered = enterFolders(scanned.steps, places);
  if (isRefusal(entered)) return entered;
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
  if (isRefusal(steps)) return steps;
  return { command, ...sealPlan({ ...places, steps }, request.input) };
}

/** A file that vanished or may not be read while it was looked at. */
function refuseFile(cause: unknown): CommandRefusal {
  const why = cause instanceof Error ? cause.message : String(cause);
  return refuse("file_unreadable", `The command names a file that cannot be examined: ${why}.`);
}

function findPlaces(cwd: string, root: string): { cwd: string; root: string } | CommandRefusal {
  try {
    return { cwd: realpathSync.native(cwd), root: realpathSync.native(root) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return refuse("folder_missing", `The folder of the command cannot be found: ${why}.`);
  }
}

async function planSteps(
  scanned: readonly ScannedStep[],
  context: PlanContext,
): Promise<readonly PlanStep[] | CommandRefusal> {
  const steps: PlanStep[] = [];
  let mayHaveChanged = false;
  for (const step of scanned) {
    const planned = await planStep(step, { ...context, mayHaveChanged });
    if (isRefusal(planned)) return planned;
    steps.push(planned.step);
    mayHaveChanged ||= planned.mayChangeFiles;
  }
  return bindPipes(steps, context);
}
