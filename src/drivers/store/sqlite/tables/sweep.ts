// Removes what has expired, a part at a time.

import type { Now } from "../access.js";
import type { Database } from "../database.js";

/** Of one table in one transaction: the event loop stops that long. */
const MAX_SWEPT_ROWS = 500;

const SWEEPS = [
  sweepOf({ table: "kv", key: "id" }),
  sweepOf({ table: "queue", key: "id" }),
  sweepOf({ table: "leases", key: "name" }),
];

function sweepOf({ table, key }: { readonly table: string; readonly key: string }): string {
  return `DELETE FROM state.${table} WHERE ${key} IN
    (SELECT ${key} FROM state.${table} WHERE expires_at_ms <= ? LIMIT ${MAX_SWEPT_ROWS})`;
}

/** How many went; 0 when nothing is left to remove. */
export function sweepExpired(database: Database, { nowMs }: Now): number {
  return SWEEPS.reduce(
    (count, sql) => count + Number(database.statement(sql).run(nowMs).changes),
    0,
  );
}
