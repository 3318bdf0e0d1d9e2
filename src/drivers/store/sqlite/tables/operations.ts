// `transact`: several writes as one. Each part does what the call of its name does.

import type { Store } from "../../../../core/index.js";
import { type ReadOperation, readOperations } from "../../input/read-requests.js";
import type { Access, Now } from "../access.js";
import type { Database } from "../database.js";
import { deleteEntry, putEntry } from "./kv.js";
import { checkLease } from "./lease.js";
import { appendRecords } from "./log.js";
import { acknowledgeEntry, pushEntry } from "./queue.js";

type Kind = ReadOperation["kind"];
type OperationOf<Name extends Kind> = Extract<ReadOperation, { kind: Name }> & Now;

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
    const runAll = (database: Database) => {
      for (const operation of operations) runOperation(database, { ...operation, ...now() });
    };
    return write((database) => database.attempt(() => runAll(database)), { ...options, bytes });
  };
}

function runOperation<Name extends Kind>(database: Database, operation: OperationOf<Name>): void {
  TABLE[operation.kind](database, operation);
}
