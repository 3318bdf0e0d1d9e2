// The document of approvals as this room reads it, with problems in one line.

import {
  APPROVALS_VERSION,
  type ApprovalsDocument,
  parseApprovals,
} from "../../../config/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { readField } from "../../../lib/read-field.js";

const MAX_SHOWN_PROBLEMS = 3;

export type ReadApprovals =
  | { readonly ok: true; readonly document: ApprovalsDocument }
  | { readonly ok: false; readonly problem: string };

export type ParseApprovals = (value: unknown) => Promise<ReadApprovals>;

export const EMPTY_APPROVALS: ApprovalsDocument = { version: APPROVALS_VERSION, agents: {} };

export function createApprovalsParser(): ParseApprovals {
  return async (value) => {
    const version = readField(value, "version");
    if (version !== APPROVALS_VERSION) return { ok: false, problem: describeVersion(version) };
    const parsed = parseApprovals(value);
    if (parsed.ok) return parsed;
    const problems = parsed.problems.slice(0, MAX_SHOWN_PROBLEMS);
    return { ok: false, problem: toPrintable(problems.join("; ")) };
  };
}

function describeVersion(version: unknown): string {
  if (version === undefined) return "it has no version; the first field must be `version: 1`";
  return `its version is ${toPrintable(JSON.stringify(version) ?? "unknown", 40)}, and only 1 can be read`;
}
