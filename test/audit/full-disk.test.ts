// The audit on a disk that becomes full: no row is lost or written twice, what was written half is
// marked, and it is told once.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { findOwnMounts } from "../contract/store/full-disk-cases.js";
import { startRole, useProgram } from "../contract/store/processes.js";
import type { FullDiskReport } from "./full-disk-program.js";

const PROGRAM = fileURLToPath(new URL("./full-disk-program.ts", import.meta.url));
const DISK_SIZE = "1m";
const CALLS = 5 + 200 + 5 + 5;

describe("a disk that becomes full", () => {
  const program = useProgram(`
    import { fillDisk } from ${JSON.stringify(PROGRAM)};
    await fillDisk(process.argv[2]);`);

  it("delays rows, and loses none of them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "clawtools-audit-full-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const mount = `mount -t tmpfs -o size=${DISK_SIZE} none "$0" && exec "$@"`;
    const before = [...findOwnMounts(), "sh", "-c", mount, folder];
    const [said = ""] = await startRole([program(), folder], { before }).end;
    // Said by the program of the same test.
    const report = JSON.parse(said) as FullDiskReport;
    expect(report).toEqual({
      reports: 1,
      calls: CALLS,
      kinds: ["call", "torn", "late"],
      problems: [],
    });
  });
});
