// The index of the notes on a disk that is really full: a small file system of its own, filled to the
// last byte. Search goes on with what there is, says so, and catches up when there is space.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findOwnMounts } from "../contract/store/full-disk-cases.js";
import { startRole, useProgram } from "../contract/store/processes.js";
import { makeNotesFolder, type NotesFolder, pathsOf } from "../memory/memory-setting.js";
import { type FillReport, NEW_NOTES } from "./memory-program.js";

const DISK_SIZE = "8m";
const entry = fileURLToPath(new URL("./memory-program.ts", import.meta.url));
const program = useProgram(
  `import { useMemory } from ${JSON.stringify(entry)}; await useMemory(process.argv.slice(2));`,
);

let folder: NotesFolder;
beforeEach(() => {
  folder = makeNotesFolder({ "memory/first.md": "the walrus sleeps" });
});
afterEach(() => folder.close());

async function fill(when: "first" | "later"): Promise<FillReport> {
  const disk = join(folder.root, "state");
  mkdirSync(disk);
  const mount = `mount -t tmpfs -o size=${DISK_SIZE} none "$0" && exec "$@"`;
  const before = [...findOwnMounts(), "sh", "-c", mount, disk];
  const role = startRole([program(), "fill", folder.root, when], { before });
  const [report = "{}"] = await role.end;
  // Said by the program of this test.
  return JSON.parse(report) as FillReport;
}

describe("a disk without a byte left", () => {
  it("leaves the old index in force, which says that it is stale, and is caught up with later", async () => {
    const { before, full, refusal, after, status } = await fill("later");
    expect(before && pathsOf(before)).toEqual(["memory/first.md"]);
    expect(pathsOf(full)).toEqual(["memory/first.md"]);
    expect(full.staleNotes).toBeGreaterThan(0);
    expect(full.warnings.join(" ")).toContain("disk is full");
    expect(refusal).toBe("index_failed");
    expect(pathsOf(after)[0]).toBe(`memory/new/n${NEW_NOTES - 1}.md`);
    expect(after).toMatchObject({ staleNotes: 0, warnings: [] });
    expect(status).toMatchObject({ notes: NEW_NOTES + 1, staleNotes: 0, warnings: [] });
  });

  it("before the first search holds the index in memory, and that is said", async () => {
    const { full, refusal, after } = await fill("first");
    expect(pathsOf(full)).toEqual(["memory/first.md"]);
    expect(full.warnings.join(" ")).toContain("in memory only, until the next start");
    expect(refusal).toBe("");
    expect(pathsOf(after)[0]).toBe(`memory/new/n${NEW_NOTES - 1}.md`);
  });
});
