// The door of the environment driver.

export {
  canLoadTypeScript,
  currentDirectory,
  homeDirectory,
  readEnvironment,
} from "./process-facts.js";
