// The door for changing config files, separate because few programs write.

export { isSecretReference } from "../file/variables.js";
export { loadDraft } from "../load.js";
export { type KeyPath, parseKeyPath } from "../problem.js";
export type { TextChange } from "./edit-text.js";
export { findKey, listConfigKeys } from "./known-key.js";
export { type ConfigEdit, type ConfigPlan, editDocument, planConfigChange } from "./plan-change.js";
export {
  configUnusable,
  isLeftOver,
  removeLeftOvers,
  replaceFile,
  writeConfigEdits,
} from "./replace-file.js";
