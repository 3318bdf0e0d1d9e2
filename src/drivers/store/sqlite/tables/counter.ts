// The one counter of the store: revisions and tokens come from it, so none is ever given twice.

import type { Database } from "../database.js";
import { integerOf } from "./row.js";

const NEXT = "UPDATE state.counters SET value = value + ? WHERE name = 'revision' RETURNING value";

/** The last of `count` numbers that nobody else gets. */
export function nextNumber(database: Database, count = 1): number {
  return integerOf(database.statement(NEXT).get(count), "value");
}
