// A value of unknown make to the document of approvals, as it stands in its file or is given by a
// program. What cannot be read is never taken for an empty list.

import { checkValue } from "../check/check-value.js";
import { copyPlain } from "../check/copy-plain.js";
import { createProblemList } from "../problem.js";
import type { SchemaNode } from "../schema.js";
import { findSlip } from "./find-slip.js";
import { type ApprovalsDocument, approvalsSchema } from "./schema.js";

export type ParsedApprovals =
  | { readonly ok: true; readonly document: ApprovalsDocument }
  /** Each with its place. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** The document is a copy. Unknown keys are kept, unless they are a slip for one that decides. */
export function parseApprovals(value: unknown): ParsedApprovals {
  const problems = createProblemList();
  const copy = copyPlain(value, { problems, path: [] });
  if (!problems.hasErrors()) {
    // TypeBox's types say nothing of keywords such as `minimum`; the JSON below them has this shape.
    const node = approvalsSchema() as object as SchemaNode;
    checkValue(copy, { node, path: [], problems, hiddenPaths: new Set(), keepsUnknown: true });
  }
  const errors = problems.list().filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    return { ok: false, problems: errors.map(({ path, message }) => `${path} ${message}`.trim()) };
  }
  // The schema has just read it.
  const document = copy as ApprovalsDocument;
  const slip = findSlip(document);
  return slip === undefined ? { ok: true, document } : { ok: false, problems: [slip] };
}
