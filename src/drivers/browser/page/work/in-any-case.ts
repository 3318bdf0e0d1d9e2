// What must be done however the work before it ended: keys and buttons that are down go up again.

import { within } from "../../session/within.js";

const LIMIT_MS = 1_000;

/** Not under the signal of the work, which has ended. A page that is gone has nothing to put right. */
export async function inAnyCase(what: string, work: () => Promise<unknown>): Promise<void> {
  const { signal } = new AbortController();
  await within({ timeoutMs: LIMIT_MS, signal, what }, work).catch(() => undefined);
}
