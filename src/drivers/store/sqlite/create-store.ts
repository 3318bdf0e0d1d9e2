// The store in one SQLite file of the state folder. Several processes may have it open.

import { join, resolve } from "node:path";
import type { Clock, RandomSource, Store } from "../../../core/index.js";
import { storeClosed } from "../refusals.js";
import { createAccess } from "./access.js";
import { createConnection } from "./connection.js";
import { createKv } from "./tables/kv.js";
import { createLeases } from "./tables/lease.js";
import { createLog } from "./tables/log.js";
import { createTransact } from "./tables/operations.js";
import { createQueues } from "./tables/queue.js";
import { sweepExpired } from "./tables/sweep.js";
import { createWriter } from "./writer.js";

const DATABASE_NAME = "state.db";

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

  return {
    kv: createKv(access),
    log: createLog(access),
    lease: createLeases(access),
    queue: createQueues(access),
    transact: createTransact(access),
    async sync() {
      if (isClosed) throw storeClosed();
      return writer.sync();
    },
    sweep: () => access.writeInParts((database) => sweepExpired(database, access.now()), {}),
    async close() {
      isClosed = true;
      await writer.close();
      await connection.close();
    },
  };
}
