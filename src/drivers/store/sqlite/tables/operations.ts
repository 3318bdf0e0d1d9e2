// `transact`: several writes as one. Each part does what the call of its name does.

import type { Store } from "../../../../core/index.js";
import { type ReadOperation, readOperations } from "../../input/read-requests.js";
import type { Access, Now } from "../access.js";
import type { Database } from "../database.js";
import { nextNumber } from "./counter.js";
import { deleteEntry, putEntry } from "./kv.js";
import { checkLease } from "./lease.js";
import { appendRecords } from "./log.js";
import { acknowledgeEntry, pushEntry } from "./queue.js";

type Kind = ReadOperation["kind"];
type OperationOf<Name extends Kind> = Extract<ReadOperation, { kind: Name }> & Given;

interface Given extends Now {
  /** For what needs one. */
  readonly revision: number | undefined;
}

const TABLE: {
  readonly [Name in Kind]: (database: Database, operation: OperationOf<Name>) => unknown;
} = {
  "kv.put": putEntry,
  "kv.delete": deleteEntry,
  "log.append": appendRecords,
  "queue.push": pushEntry,
  "queue.acknowledge": acknowledgeEntry,
  "lease.check": checkLease,
};

export function createTransact({ write, now }: Access): Store["transact"] {
  return async (parts, options = {}) => {
    const { operations, bytes } = readOperations(parts);
    const puts = operations.filter(({ kind }) => kind === "kv.put").length;
    const runAll = (database: Database) => {
      // Taken at once: the counter is written as often as it is asked.
      let revision = puts > 0 ? nextNumber(database, puts) - puts : 0;
      for (const operation of operations) {
        const own = operation.kind === "kv.put" ? ++revision : undefined;
        runOperation(database, { ...operation, ...now(), revision: own });
      }
    };
    // Only what may be refused on its way has to be taken back alone.
    const how = operations.every(isPlainPut) ? "transact" : "attempt";
    return write((database) => database[how](() => runAll(database)), {
      ...{ ...options, bytes },
      isSelfContained: true,
    });
  };
}

function isPlainPut(operation: ReadOperation): boolean {
  return operation.kind === "kv.put" && operation.expectRevision === undefined;
}

function runOperation<Name extends Kind>(database: Database, operation: OperationOf<Name>): void {
  TABLE[operation.kind](database, operation);
}
