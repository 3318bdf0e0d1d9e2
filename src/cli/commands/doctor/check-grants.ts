// The grants for commands: whether they can be read, and which are stale.

import { access } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isToolError } from "../../../core/index.js";
import { APPROVALS_FILE_NAME, isExpired, nameEntries } from "../../../drivers/approvals/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { shellQuote } from "../../../lib/system/shell-words.js";
import { openGrants } from "../approvals/with-approvals.js";
import { type Finding, findingsOf } from "./finding.js";

const grants = findingsOf("grants");
const GLOB = /[*?[{]/;

export async function checkGrants(folder: string): Promise<Finding[]> {
  try {
    const document = await openGrants(folder).read();
    const entries = Object.entries(document.agents ?? {}).flatMap(([name, rules]) =>
      nameEntries(name, rules),
    );
    const expired = entries.filter((entry) => isExpired(entry, Date.now()));
    const gone = await listGone(entries.map(({ pattern }) => pattern));
    const found = [...expired.flatMap(({ id }) => toExpired(id)), ...gone.flatMap(toGone)];
    if (found.length > 0) return found;
    return grants.ok({ what: `${entries.length} grants for commands; none is stale.` });
  } catch (error) {
    if (!isToolError(error)) throw error;
    return grants.broken({
      what: toPrintable(error.message, 1_000),
      why: "As long as it cannot be read, commands on this machine are refused.",
      remedy: `ls -l ${shellQuote(join(folder, APPROVALS_FILE_NAME))}`,
    });
  }
}

async function listGone(patterns: readonly string[]): Promise<string[]> {
  const programs = [...new Set(patterns)].filter((one) => isAbsolute(one) && !GLOB.test(one));
  const found = await Promise.all(
    programs.map((program) =>
      access(program).then(
        () => [],
        () => [program],
      ),
    ),
  );
  return found.flat();
}

function toExpired(id: string): Finding[] {
  return grants.note({
    what: `The grant ${toPrintable(id, 80)} has expired.`,
    remedy: `clawtools approvals grants remove ${id}`,
  });
}

function toGone(program: string): Finding[] {
  return grants.warning({
    what: `A grant names ${toPrintable(program, 400)}, which does not exist.`,
    why: "Any program placed there could run without approval.",
    remedy: "clawtools approvals grants list",
  });
}
