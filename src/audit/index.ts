// The door of the audit: rows that outlive the process, chained by their hashes, and their readers.

export type { RowBody } from "./chain/row.js";
export { AUDIT_FILE, AUDIT_NAMES } from "./names.js";
export { type ListedRow, listRows, type RowFilter } from "./read/list-rows.js";
export { type AuditProblem, type VerifyResult, verifyAudit } from "./read/verify.js";
export {
  type AuditFile,
  type AuditFileSource,
  createAuditFile,
  DEFAULT_AUDIT_LIMITS,
} from "./write/create-audit-file.js";
