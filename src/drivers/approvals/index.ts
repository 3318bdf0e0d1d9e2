// The door of the approvals driver: the list, the gate, and the requests that wait for an answer.

export type { ProcessOwners } from "../../lib/system/rename-lock.js";
export { addGrants, removeGrant } from "./document/edit.js";
export { isExpired, type NamedEntry, nameEntries, readEffective } from "./document/effective.js";
export { createApprovalsParser } from "./document/parse.js";
export type { AnswerPlace } from "./errors.js";
export { describeOutcome } from "./errors.js";
export { type ClosableGate, type CommandGateOptions, createCommandGate } from "./gate.js";
export type { GrantsFile } from "./grants-file/grants-file.js";
export { APPROVALS_FILE_NAME, createGrantsFile } from "./grants-file/grants-file.js";
export { createMemoryGrants } from "./grants-file/memory-grants.js";
export { registerApprover } from "./requests/approvers.js";
export { type LedgerRecord, readLedger, writeLedger } from "./requests/ledger.js";
export { createStoredRows } from "./requests/rows.js";
export {
  createRequestTable,
  type ListedRequest,
  type RequestTable,
} from "./requests/table.js";
