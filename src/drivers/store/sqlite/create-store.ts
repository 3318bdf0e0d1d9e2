// The store in one SQLite file of the state folder. Several processes may have it open.
import { join, resolve } from "node:path";
import type { Clock, RandomSource, Store, StoreOutcome } from "../../../core/index.js";
import { numberOf } from "../../sqlite.js";
import { type ReadOperation, readOperations } from "../input/read-requests.js";
import { storeClosed } from "../refusals.js";
import { createWatching } from "../watch.js";
import { createConnection } from "./connection.js";
import { DATABASE_NAME, type Database } from "./database.js";
import { type Access, createAccess, type Now } from "./sqlite-errors.js";
import { checkEntry, createKv, deleteEntry, nextNumber, putEntry } from "./tables/kv.js";
import {
  acknowledgeEntry,
  checkLease,
  createLeases,
  createQueues,
  pushEntry,
  releaseEntry,
  sweepExpired,
} from "./tables/lease.js";
import { appendRecords, createLog } from "./tables/log.js";
import { createWriter } from "./writer.js";

const TABLE: {
  readonly [Name in Kind]: (database: Database, operation: OperationOf<Name>) => StoreOutcome;
} = {
  "kv.put": putEntry,
  "kv.delete": (database, target) => ({ wasThere: deleteEntry(database, target) }),
  "kv.check": (database, place) => nothing(checkEntry(database, place)),
  "log.append": appendRecords,
  "queue.push": pushEntry,
  "queue.acknowledge": (database, receipt) => nothing(acknowledgeEntry(database, receipt)),
  "queue.release": (database, receipt) => nothing(releaseEntry(database, receipt)),
  "lease.check": (database, lease) => nothing(checkLease(database, lease)),
};

/** Another value whenever another connection has committed. */
const CHANGES = "PRAGMA state.data_version";

export interface SqliteStoreOptions {
  /** The state folder; made at the first use, for this user alone. */
  readonly folder: string;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** The database may not grow beyond; without it only the disk is the limit. */
  readonly maxBytes?: number | undefined;
}

/** Touches nothing before its first use. */
export function createSqliteStore({ folder, clock, random, maxBytes }: SqliteStoreOptions): Store {
  const file = join(resolve(folder), DATABASE_NAME);
  const connection = createConnection({ file, clock, random, maxBytes });
  const writer = createWriter(connection);
  let isClosed = false;
  const access = createAccess({ connection, writer, clock, isClosed: () => isClosed });

  const watching = createWatching(() =>
    connection.read((database) => numberOf(database.statement(CHANGES).get(), "data_version")),
  );
  const store = watching.hinted({
    kv: createKv(access),
    log: createLog(access),
    lease: createLeases(access),
    queue: createQueues(access),
    transact: createTransact(access),
    now: async () => access.now().nowMs,
    async sync() {
      if (isClosed) throw storeClosed();
      return writer.sync();
    },
    sweep: () => access.writeInParts((database) => sweepExpired(database, access.now()), {}),
    async close() {
      isClosed = true;
      watching.close();
      await writer.close();
      await connection.close();
    },
  });
  return { ...store, watch: watching.watch };
}

type Kind = ReadOperation["kind"];

type OperationOf<Name extends Kind> = Extract<ReadOperation, { kind: Name }> & Given;

interface Given extends Now {
  /** For what needs one. */
  readonly revision: number | undefined;
}

function createTransact({ write, now }: Access): Store["transact"] {
  return async (parts, options = {}) => {
    const { operations, bytes } = readOperations(parts);
    const puts = operations.filter(({ kind }) => kind === "kv.put").length;
    const runAll = (database: Database) => {
      // Taken at once: the counter is written as often as it is asked.
      let revision = puts > 0 ? nextNumber(database, puts) - puts : 0;
      return operations.map((operation) => {
        const own = operation.kind === "kv.put" ? ++revision : undefined;
        return runOperation(database, { ...operation, ...now(), revision: own });
      });
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

function runOperation<Name extends Kind>(
  database: Database,
  operation: OperationOf<Name>,
): StoreOutcome {
  return TABLE[operation.kind](database, operation);
}

/** Of an operation that has nothing to tell. */
function nothing(_done: unknown): StoreOutcome {
  return {};
}
