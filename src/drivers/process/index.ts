// The door of the process driver: the supervisor of commands.

export {
  createProcesses,
  type ProcessesDeps,
  type SupervisedProcesses,
} from "./create-processes.js";
export { findToolFolders } from "./environment.js";
export { makePrivateFolder, removePrivateFolder, SOCKET_NAME } from "./launch/private-folder.js";
export type { LedgerOwner } from "./run-ledger.js";
export type { ProcessNotice } from "./session/session-table.js";
export {
  defaultSettings,
  type ElevatedLevel,
  type ElevatedSettings,
  type ProcessSettings,
} from "./settings.js";
