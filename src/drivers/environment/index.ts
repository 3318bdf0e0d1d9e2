// The door of the environment driver.

export {
  canLoadTypeScript,
  currentDirectory,
  homeDirectory,
  readEnvironment,
  runtimePath,
} from "./process-facts.js";
