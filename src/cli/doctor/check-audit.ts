// Whether the audit can be written: what stands in the place of its files, and who may write there.

import { constants, type Stats } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { join } from "node:path";
import { AUDIT_NAMES } from "../../audit/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { toPrintable } from "../../lib/printable.js";
import { shellQuote } from "../../lib/system/shell-quote.js";
import type { Finding } from "./finding.js";

const WHY = "Calls run all the same, but no row of them is kept.";

/** Nothing where there is no state folder yet. */
export async function checkAudit(folder: string): Promise<Finding[]> {
  const names = Object.entries(AUDIT_NAMES);
  const found = await Promise.all(names.map(([name, kind]) => checkName({ folder, name, kind })));
  const odd = found.flat();
  return odd.length > 0 ? odd : await checkAccess(folder);
}

async function checkName(options: {
  readonly folder: string;
  readonly name: string;
  readonly kind: "file" | "folder";
}): Promise<Finding[]> {
  const { folder, name, kind } = options;
  const path = join(folder, name);
  const facts = await lstat(path).catch((error: unknown) => errnoOf(error));
  // What keeps others from being looked at is told with the state folder.
  if (typeof facts === "string" || isKind(facts, kind)) return [];
  return [
    {
      area: "state",
      level: "broken",
      what: `The audit cannot be written: ${toPrintable(path, 4_096)} is no plain ${kind}.`,
      why: WHY,
      mend: `mv ${shellQuote(path)} ${shellQuote(`${path}.old`)}`,
    },
  ];
}

function isKind(facts: Stats, kind: "file" | "folder"): boolean {
  return kind === "file" ? facts.isFile() : facts.isDirectory();
}

async function checkAccess(folder: string): Promise<Finding[]> {
  try {
    await access(folder, constants.W_OK);
    return [];
  } catch (error) {
    if (isMissing(error)) return [];
    const reason = errnoOf(error) || "unknown error";
    return [
      {
        area: "state",
        level: "broken",
        what: `Nothing can be written in ${toPrintable(folder, 4_096)} (${reason}).`,
        why: WHY,
        mend: `ls -ld ${shellQuote(folder)}`,
      },
    ];
  }
}
