// The door of the environment driver.

export {
  canLoadTypeScript,
  createEnvironment,
  currentDirectory,
  homeDirectory,
  readEnvironment,
  readProcessUse,
  runtimePath,
} from "./process-facts.js";
