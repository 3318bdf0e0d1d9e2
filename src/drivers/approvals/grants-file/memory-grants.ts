// The document of a program that brings its own: changes last as long as the program.

import type { ApprovalsDocument } from "../../../config/index.js";
import type { ParseApprovals } from "../document/parse.js";
import { approvalsBroken } from "../errors.js";
import type { GrantsFile } from "./grants-file.js";

const PLACE = "the option approvals";

export interface MemoryGrantsOptions {
  /** What the program gave; nothing of it is changed. */
  readonly given: unknown;
  readonly parse: ParseApprovals;
}

export function createMemoryGrants({ given, parse }: MemoryGrantsOptions): GrantsFile {
  // A copy at once: later changes of the program's own object are none of the list.
  const copy: unknown = structuredClone(given);
  let current: ApprovalsDocument | undefined;

  async function read(): Promise<ApprovalsDocument> {
    if (current) return current;
    const parsed = await parse(copy);
    if (!parsed.ok) throw approvalsBroken(PLACE, parsed.problem);
    current ??= parsed.document;
    return current;
  }

  return {
    place: PLACE,
    read,
    async change(edit) {
      await read();
      // Nothing is awaited between reading and writing.
      if (current) current = edit(current);
    },
  };
}
