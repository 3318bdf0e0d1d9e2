// An audit that lives as long as the process.

import type { AuditLog, AuditRow } from "../../core/index.js";

const MAX_ROWS = 10_000;

export interface MemoryAudit extends AuditLog {
  /** The newest 10,000, oldest first. */
  rows(): readonly AuditRow[];
}

export function createMemoryAudit(): MemoryAudit {
  const rows: AuditRow[] = [];
  return {
    append(row) {
      rows.push(row);
      if (rows.length > MAX_ROWS) rows.shift();
    },
    rows: () => [...rows],
  };
}
