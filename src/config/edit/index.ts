// The door for changing files: JSON and JSON5 text edited in place, written whole or not at all, and
// changes of the config planned. Apart from the room's own door, because few programs write.

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
