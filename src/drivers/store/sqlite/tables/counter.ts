// The one counter of the store: revisions and tokens come from it, so none is ever given twice.

import type { Database } from "../database.js";
import { integerOf } from "./row.js";

const NEXT = "UPDATE state.counters SET value = value + 1 WHERE name = 'revision' RETURNING value";

export function nextNumber(database: Database): number {
  return integerOf(database.statement(NEXT).get(), "value");
}
