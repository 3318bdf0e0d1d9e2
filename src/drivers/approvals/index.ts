// The door of the approvals driver: the list, the gate, and the requests that wait for an answer.

export type { ProcessOwners } from "../../lib/system/rename-lock.js";
export type { AnswerPlace } from "./errors.js";
export { describeOutcome } from "./errors.js";
export { type ClosableGate, type CommandGateOptions, createCommandGate } from "./gate.js";
export {
  addGrants,
  isExpired,
  type NamedEntry,
  nameEntries,
  readEffective,
  removeGrant,
} from "./grants/document.js";
export type { GrantsFile } from "./grants/grants-file.js";
export { APPROVALS_FILE_NAME, createGrantsFile, createMemoryGrants } from "./grants/grants-file.js";
export {
  createRequestTable,
  createStoredRows,
  type ListedRequest,
  type RequestTable,
} from "./requests/table.js";
export { type LedgerRecord, readLedger, registerApprover, writeLedger } from "./requests/wait.js";
