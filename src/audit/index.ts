// The door of the audit: rows that outlive the process, chained by their hashes, and their readers.

export {
  type AuditFile,
  type AuditFileSource,
  createAuditFile,
  DEFAULT_AUDIT_LIMITS,
} from "./create-audit-file.js";
export { type ListedRow, listRows, type RowFilter } from "./list-rows.js";
export { AUDIT_FILE, AUDIT_NAMES, type RowBody } from "./row.js";
export { type AuditProblem, type VerifyResult, verifyAudit } from "./verify.js";
