// A value of unknown make to the document of approvals. What cannot be read is never taken for an
// empty list.

import { compileValidator, type Validator } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { toPrintable } from "../../../lib/printable.js";
import { findSlip } from "./find-slip.js";
import { APPROVALS_VERSION, type ApprovalsDocument, approvalsSchema } from "./schema.js";

const MAX_SHOWN_PROBLEMS = 3;

export type ParsedApprovals =
  | { readonly ok: true; readonly document: ApprovalsDocument }
  | { readonly ok: false; readonly problem: string };

export type ParseApprovals = (value: unknown) => Promise<ParsedApprovals>;

export const EMPTY_APPROVALS: ApprovalsDocument = { version: APPROVALS_VERSION, agents: {} };

/** The schema is compiled at the first use. */
export function createApprovalsParser(): ParseApprovals {
  const validator = lazy((): Promise<Validator> => compileValidator(approvalsSchema));
  return async (value) => {
    const version: unknown =
      typeof value === "object" && value !== null ? Reflect.get(value, "version") : undefined;
    if (version !== APPROVALS_VERSION) return { ok: false, problem: describeVersion(version) };
    const outcome = (await validator()).check(value);
    if (outcome.ok) {
      // The schema has just read it.
      const document = value as ApprovalsDocument;
      const slip = findSlip(document);
      return slip === undefined
        ? { ok: true, document }
        : { ok: false, problem: toPrintable(slip) };
    }
    const problems = outcome.problems
      .slice(0, MAX_SHOWN_PROBLEMS)
      .map(({ path, message }) => `${path} ${message}`.trim());
    return { ok: false, problem: toPrintable(problems.join("; ")) };
  };
}

function describeVersion(version: unknown): string {
  if (version === undefined) return "it has no version; the first field must be `version: 1`";
  return `its version is ${toPrintable(JSON.stringify(version) ?? "unknown", 40)}, and only 1 can be read`;
}
