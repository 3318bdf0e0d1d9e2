// The one counter of the store: revisions and tokens come from it, so none is ever given twice.

import type { Database } from "../database.js";
import { integerOf } from "./row.js";

const READ = "SELECT value FROM state.counters WHERE name = 'revision'";
const SET = "UPDATE state.counters SET value = ? WHERE name = 'revision'";

/**
 * The last of `count` numbers that no one else gets. In a transaction, which keeps all others from
 * writing: then two statements cost a fraction of one that changes a row and gives it back.
 */
export function nextNumber(database: Database, count = 1): number {
  return database.transact(() => {
    const value = integerOf(database.statement(READ).get(), "value") + count;
    database.statement(SET).run(value);
    return value;
  });
}
