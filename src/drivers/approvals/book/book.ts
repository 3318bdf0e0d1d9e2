// What holds the document of approvals: a file, or the memory of a program that brings its own.

import type { ApprovalsDocument } from "../../../config/index.js";

export interface ApprovalsBook {
  /** Where it lies, for messages: a path, or words. */
  readonly place: string;
  /** Throws `approvals_broken` when it is there and cannot be used. */
  read(): Promise<ApprovalsDocument>;
  /**
   * One after the other, also between processes: `edit` is given the newest document, and what it
   * gives back is on the disk when this is fulfilled. Throws as `read` does, and changes nothing then.
   */
  change(edit: (document: ApprovalsDocument) => ApprovalsDocument): Promise<void>;
}
