// The list of what may run without being asked about, and the calls whose end nobody knows.

import type { Stats } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isToolError, type Toolkit } from "../../core/index.js";
import {
  APPROVALS_FILE_NAME,
  createApprovalsParser,
  createFileBook,
  isExpired,
  nameEntries,
} from "../../drivers/approvals/index.js";
import { createSystemClock, createSystemRandom } from "../../drivers/clock/index.js";
import { createProcessMarks } from "../../drivers/store/index.js";
import { toPrintable } from "../../lib/printable.js";
import { type Finding, shellWord } from "./finding.js";

const DATABASES = ["state.db", "state.db-wal", "state.db-shm", "owner.lock", "owner.json"];
const OTHERS = 0o077;
const GLOB = /[*?[{]/;

export async function checkGrants(folder: string): Promise<Finding[]> {
  const path = join(folder, APPROVALS_FILE_NAME);
  const clock = createSystemClock();
  const book = createFileBook({
    path,
    parse: createApprovalsParser(),
    clock,
    random: createSystemRandom(),
    owners: createProcessMarks(),
  });
  try {
    const document = await book.read();
    const entries = Object.entries(document.agents ?? {}).flatMap(([name, rules]) =>
      nameEntries(name, rules),
    );
    const expired = entries.filter((entry) => isExpired(entry, clock.now()));
    const gone = await listGone(entries.map(({ pattern }) => pattern));
    const found = [...expired.map(({ id }) => toExpired(id)), ...gone.map(toGone)];
    if (found.length > 0) return found;
    const what = `${entries.length} grants for commands; none is stale.`;
    return [{ area: "grants", level: "ok", what }];
  } catch (error) {
    if (!isToolError(error)) throw error;
    return [
      {
        area: "grants",
        level: "broken",
        what: toPrintable(error.message, 1_000),
        why: "As long as it cannot be read, commands on this machine are refused.",
        mend: `ls -l ${shellWord(path)}`,
      },
    ];
  }
}

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
        what: `${calls.length} calls in this root were stopped before their end; what they did is not known.`,
        why: "Their files may be half changed.",
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
    mend: `ls -l ${shellWord(path)}`,
  };
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

function toExpired(id: string): Finding {
  return {
    area: "grants",
    level: "note",
    what: `The grant ${toPrintable(id, 80)} has expired.`,
    mend: `clawtools approvals grants remove ${id}`,
  };
}

function toGone(program: string): Finding {
  return {
    area: "grants",
    level: "warning",
    what: `A grant names ${toPrintable(program, 400)}, which is not there.`,
    why: "Whoever puts a program there may run it without being asked about.",
    mend: "clawtools approvals grants list",
  };
}
