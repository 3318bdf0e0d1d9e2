// The door of the commands: reading, planning and judging them. Apart from the door of core, because
// only the drivers of commands need it, and importing the library must not load it.

export { isExactPattern, parsePattern } from "./decide/arg-pattern.js";
export { findTurningVariable, plainArguments } from "./decide/cover-step.js";
export {
  type CommandDecision,
  decidePlan,
} from "./decide/decide-plan.js";
export { grantFor } from "./decide/grant.js";
export type { AllowEntry } from "./decide/match-entry.js";
export type {
  BoundFile,
  CommandPlan,
  CommandPlanner,
  CommandRefusal,
  OwnProgram,
  PathUse,
  PlannedCommand,
  PlanRedirect,
  PlanRequest,
  PlanStep,
  ProgramIdentity,
  RepositoryFacts,
  StepFacts,
  StepJoin,
} from "./plan.js";
export { type EntryReach, reachOfEntry } from "./profiles/entry-reach.js";
export type { ProfileReading } from "./profiles/profile.js";
export { findProfile, isInterpreter } from "./profiles/programs.js";
export { findScriptWord, findUnnamed, startsNothing } from "./profiles/run-files.js";
export { isSingleProgram, renderPlan, toSpawn } from "./render.js";
export { type GlobPart, parseGlob } from "./scan/glob-pattern.js";
export type { ScannedRedirect } from "./scan/read-redirect.js";
export type { ScannedWord } from "./scan/read-word.js";
export { type ScannedStep, scanCommand } from "./scan/scan-command.js";
export { SYSTEM_FOLDERS, toSearchPath } from "./search-path.js";
export { RESERVED_WORDS, SHELL_BUILTINS, SHELL_DUPLICATES } from "./shell-words.js";
export { showCommand, showInput, showVariables, showWord } from "./show.js";
