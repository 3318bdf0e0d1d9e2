// Calls of processes that were killed: each is told as interrupted, to one of those that start next,
// and calls that ended or still run are not.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Role, startRole, useProgram } from "../contract/store/processes.js";

const entry = fileURLToPath(new URL("./store-journal-program.ts", import.meta.url));
const program = useProgram(
  `import { keepJournal } from ${JSON.stringify(entry)}; await keepJournal(process.argv.slice(2));`,
);

let folder: string;
let roles: Role[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "store-journal-"));
  roles = [];
});

afterEach(async () => {
  for (const { child, end } of roles) {
    child.kill("SIGKILL");
    await end.catch(() => undefined);
  }
  rmSync(folder, { recursive: true, force: true });
});

async function start(...args: readonly string[]): Promise<Role> {
  const [role = "", ...rest] = args;
  const started = startRole([program(), role, folder, ...rest]);
  roles.push(started);
  await started.said(1);
  return started;
}

async function runUntilAll(role: Role): Promise<void> {
  role.tell("go");
  for (let lines = 2; !role.lines().includes("all"); lines++) await role.said(lines);
}

async function kill(role: Role): Promise<void> {
  role.child.kill("SIGKILL");
  await role.end;
}

const toldOf = (role: Role) => role.lines().filter((line) => line.endsWith(" interrupted"));
const idsOf = (lines: readonly string[], word: string) =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

describe("the journal of a process that was killed", () => {
  it("has each call without an end told once, to one of those that start at once", async () => {
    const dead = [await start("call", "a", "10"), await start("call", "b", "10")];
    const living = await start("call", "c", "10");
    await Promise.all([...dead, living].map(runUntilAll));
    for (const role of dead) await kill(role);
    const open = dead.flatMap((role) => {
      const ended = new Set(idsOf(role.lines(), "ended"));
      return idsOf(role.lines(), "begun").filter((id) => !ended.has(id));
    });
    expect(open).toHaveLength(8);
    const starters = await Promise.all([1, 2, 3].map(() => start("recover")));
    await Promise.all(starters.map(runUntilAll));
    const told = starters.flatMap(toldOf);
    expect([...told].sort()).toEqual(open.map((id) => `${id} interrupted`).sort());
    const later = await start("recover");
    await runUntilAll(later);
    expect(toldOf(later)).toEqual([]);
  });

  it("loses no call when it is killed at any moment", async () => {
    for (let round = 0; round < 4; round++) {
      const victim = await start("call", `round-${round}`, "1000");
      victim.tell("go");
      await victim.said(5 + round * 7);
      await kill(victim);
      const begun = idsOf(victim.lines(), "begun");
      const ended = new Set(idsOf(victim.lines(), "ended"));
      const open = begun.filter((id) => !ended.has(id));
      const next = await start("recover");
      await runUntilAll(next);
      const told = toldOf(next).map((line) => line.replace(" interrupted", ""));
      await kill(next);
      // The last call may have been written, or ended, without a word about it.
      const last = `round-${round}-${begun.length}`;
      const certain = open.filter((id) => id !== begun.at(-1));
      expect(told).toEqual(expect.arrayContaining(certain));
      for (const id of told) expect([...open, last]).toContain(id);
      expect(new Set(told).size).toBe(told.length);
    }
  });
});
