// The approvals of one state folder for the length of one command.

import { join } from "node:path";
import { stateDir } from "../../../config/index.js";
import type { Clock, RandomSource, Store } from "../../../core/index.js";
import {
  APPROVALS_FILE_NAME,
  createApprovalsParser,
  createGrantsFile,
  createRequestTable,
  createStoredRows,
  type GrantsFile,
  type RequestTable,
} from "../../../drivers/approvals/index.js";
import { createSystemClock, createSystemRandom } from "../../../drivers/clock/index.js";
import { createProcessMarks, createSqliteStore } from "../../../drivers/store/index.js";
import { describeUser } from "../../approvals/describe-user.js";
import type { CommandCall } from "../../command-call.js";

export interface ApprovalsUse {
  readonly store: Store;
  readonly table: RequestTable;
  readonly grantsFile: GrantsFile;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Who answers, in words. */
  readonly by: string;
}

export async function withApprovals<T>(
  { place }: CommandCall,
  work: (use: ApprovalsUse) => Promise<T>,
): Promise<T> {
  const folder = stateDir(place);
  const clock = createSystemClock();
  const random = createSystemRandom();
  const owners = createProcessMarks();
  const store = createSqliteStore({ folder, clock, random });
  const path = join(folder, APPROVALS_FILE_NAME);
  const grantsFile = createGrantsFile({
    path,
    parse: createApprovalsParser(),
    clock,
    random,
    owners,
  });
  const table = createRequestTable({ rows: createStoredRows(store), clock, owners });
  try {
    return await work({
      store,
      table,
      grantsFile,
      clock,
      random,
      by: describeUser("on the command line"),
    });
  } finally {
    await store.close();
  }
}
