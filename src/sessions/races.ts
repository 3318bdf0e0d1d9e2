// Conflicts in the store: which mean that another process works on the session, and which only that
// something has to be read again.

import { isToolError } from "../core/index.js";

/** Another process has appended to the transcript: what is in memory is of no use any more. */
export function isStale(error: unknown): boolean {
  return isToolError(error) && error.reason === "sequence_mismatch";
}

export function isRace(error: unknown): boolean {
  return isToolError(error) && error.reason === "revision_mismatch";
}

/** Another writer may change a row at the same moment; then all is read and decided again. */
export async function retryRace<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRace(error)) throw error;
    }
  }
}
