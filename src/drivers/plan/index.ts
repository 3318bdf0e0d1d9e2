// The door of the planner: a command line read against the files of this machine.

export { type CommandPlannerOptions, createCommandPlanner } from "./create-planner.js";
export { readGitAuthor } from "./repository/read-config.js";
