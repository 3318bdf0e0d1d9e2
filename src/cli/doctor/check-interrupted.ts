// Calls whose end nobody knows, and whether the files that would tell of them are plain ones.

import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { isToolError, type Toolkit } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { shellQuote } from "../../lib/system/shell-quote.js";
import type { Finding } from "./finding.js";

const DATABASES = ["state.db", "state.db-wal", "state.db-shm", "owner.lock", "owner.json"];
const OTHERS = 0o077;

/** Calls that were running when their process ended; only where there is state already. */
export async function checkInterrupted(toolkit: Toolkit, folder: string): Promise<Finding[]> {
  const databases = await Promise.all(DATABASES.map((name) => look(join(folder, name))));
  const odd = databases.find((one) => one !== undefined && !one.facts.isFile());
  if (odd !== undefined) return [toOdd(odd.path)];
  const [state] = databases;
  // Opening it would close it to others, and the doctor only looks: that it is open is told already.
  if (state === undefined || (state.facts.mode & OTHERS) !== 0) return [];
  try {
    const calls = await toolkit.interrupted();
    if (calls.length === 0) return [];
    return [
      {
        area: "state",
        level: "note",
        what:
          calls.length === 1
            ? "One call in this root was stopped before its end; what it did is not known."
            : `${calls.length} calls in this root were stopped before their end; what they did is not known.`,
        why: "Files may be half changed.",
        mend: "clawtools undo --list",
      },
    ];
  } catch (error) {
    if (!isToolError(error)) throw error;
    return [
      {
        area: "state",
        level: "broken",
        what: toPrintable(error.message, 1_000),
        why: "Nothing can be undone, approved or written down.",
      },
    ];
  }
}

async function look(
  path: string,
): Promise<{ readonly path: string; readonly facts: Stats } | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  return facts && { path, facts };
}

/** A link is not followed: what it leads to may be anything. */
function toOdd(path: string): Finding {
  return {
    area: "state",
    level: "broken",
    what: `${toPrintable(path, 4_096)} is no plain file.`,
    why: "It holds what can be undone, the journal and approvals; a link may lead to anything.",
    mend: `ls -l ${shellQuote(path)}`,
  };
}
