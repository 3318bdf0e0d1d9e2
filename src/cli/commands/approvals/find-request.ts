// A request that waits, by its id or the beginning of it.

import { ToolError } from "../../../core/index.js";
import type { ListedRequest, RequestTable } from "../../../drivers/approvals/index.js";
import { toPrintable } from "../../../lib/printable.js";

/** Throws `not_found` / `approval_unknown`. */
export async function findRequest(table: RequestTable, name: string): Promise<ListedRequest> {
  const found = (await table.list()).filter(({ question }) => question.id.startsWith(name));
  const [only] = found;
  if (only !== undefined && found.length === 1 && name !== "") return only;
  throw new ToolError(
    "not_found",
    `${found.length === 0 ? "No request" : "More than one request"} begins with "${toPrintable(name, 80)}"; \`clawtools approvals list\` shows those that wait.`,
    { reason: "approval_unknown" },
  );
}
