// The approvals of one state folder for the length of one command.

import { join } from "node:path";
import { stateDir } from "../../../config/index.js";
import { type Clock, type RandomSource, type Store, ToolError } from "../../../core/index.js";
import {
  APPROVALS_FILE_NAME,
  createGrantsFile,
  createRequestTable,
  createStoredRows,
  type GrantsFile,
  type ListedRequest,
  type RequestTable,
} from "../../../drivers/approvals/index.js";
import { createSystemClock, createSystemRandom } from "../../../drivers/clock.js";
import { createProcessMarks, createSqliteStore } from "../../../drivers/store/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { CommandCall } from "../../command.js";
import { useAndClose } from "../../use-and-close.js";
import { describeUser } from "./ask-person.js";

export interface ApprovalsUse {
  readonly store: Store;
  readonly table: RequestTable;
  readonly grantsFile: GrantsFile;
  readonly clock: Clock;
  readonly random: RandomSource;
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
  const grantsFile = openGrants(folder);
  const table = createRequestTable({ rows: createStoredRows(store), clock, owners });
  const by = describeUser("on the command line");
  return await useAndClose(store, () => work({ store, table, grantsFile, clock, random, by }));
}

export function openGrants(folder: string): GrantsFile {
  return createGrantsFile({
    path: join(folder, APPROVALS_FILE_NAME),
    clock: createSystemClock(),
    random: createSystemRandom(),
    owners: createProcessMarks(),
  });
}

/** By its id or the beginning of it. Throws `not_found` / `approval_unknown`. */
export async function findRequest(table: RequestTable, name: string): Promise<ListedRequest> {
  const found = (await table.list()).filter(({ question }) => question.id.startsWith(name));
  const [only] = found;
  if (only !== undefined && found.length === 1 && name !== "") return only;
  throw new ToolError(
    "not_found",
    `${found.length === 0 ? "No request" : "More than one request"} begins with "${toPrintable(name, 80)}". \`clawtools approvals list\` shows pending requests.`,
    { reason: "approval_unknown" },
  );
}
