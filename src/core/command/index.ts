// The door for commands, separate from core's door, so that importing the library does not load it.

export { findTurningVariable, plainArguments } from "./decide/cover-step.js";
export { type CommandDecision, decidePlan, grantFor } from "./decide/decide-plan.js";
export { type AllowEntry, isExactPattern, parsePattern } from "./decide/match-entry.js";
export {
  type BoundFile,
  type CommandPlan,
  type CommandPlanner,
  type CommandRefusal,
  isSingleProgram,
  type OwnProgram,
  type PathUse,
  type PlannedCommand,
  type PlanRedirect,
  type PlanRequest,
  type PlanStep,
  type ProgramIdentity,
  RESERVED_WORDS,
  Refused,
  type RepositoryFacts,
  refuse,
  renderPlan,
  SHELL_BUILTINS,
  SHELL_DUPLICATES,
  type StepFacts,
  type StepJoin,
  SYSTEM_FOLDERS,
  toSearchPath,
  toSpawn,
} from "./plan.js";
export type { ProfileReading } from "./profiles/profile.js";
export {
  type EntryReach,
  findProfile,
  isInterpreter,
  namesOf,
  type ProgramNames,
  reachOfEntry,
} from "./profiles/programs.js";
export { findScriptWord, findUnnamed, startsNothing } from "./profiles/run-files.js";
export { type GlobPart, parseGlob } from "./scan/glob-pattern.js";
export type { ScannedWord } from "./scan/read-word.js";
export { type ScannedRedirect, type ScannedStep, scanCommand } from "./scan/scan-command.js";
export { showCommand, showInput, showVariables, showWord } from "./show.js";
