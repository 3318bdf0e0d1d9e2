// The door of the environment driver.

export {
  canLoadTypeScript,
  createEnvironment,
  currentDirectory,
  homeDirectory,
  readEnvironment,
  runtimePath,
} from "./process-facts.js";
