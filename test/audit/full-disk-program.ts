// A process that writes the audit on a small disk until it is full, makes room, and says what came of
// it.

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createAuditFile, listRows, verifyAudit } from "../../src/audit/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createProcessMarks } from "../../src/drivers/store/index.js";
import { auditRow, callContent } from "./sample-rows.js";

const PAGE_BYTES = 4_096;
const FEW_ROWS = 5;
const MANY_ROWS = 200;

export interface FullDiskReport {
  readonly reports: number;
  readonly calls: number;
  readonly kinds: readonly string[];
  readonly problems: readonly unknown[];
}

export async function fillDisk(folder: string): Promise<void> {
  let reports = 0;
  const audit = createAuditFile({
    folder,
    clock: createSystemClock(),
    random: createSystemRandom(),
    owners: createProcessMarks(),
    report: () => {
      reports += 1;
    },
  });
  const write = async (count: number) => {
    for (let index = 0; index < count; index++) audit.append(auditRow(), callContent({ index }));
    await audit.flush();
  };
  await write(FEW_ROWS);
  const ballast = join(folder, "ballast");
  fill(ballast);
  // More than is left of the last page: some of it is written, and not to its end.
  await write(MANY_ROWS);
  await write(FEW_ROWS);
  rmSync(ballast);
  await write(FEW_ROWS);
  await audit.close();
  const rows = await listRows(folder, { limit: 10_000 });
  const { problems } = await verifyAudit(folder);
  const report: FullDiskReport = {
    reports,
    calls: rows.filter(({ kind }) => kind === "call").length,
    kinds: [...new Set(rows.map(({ kind }) => kind))],
    problems,
  };
  console.log(JSON.stringify(report));
}

function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(PAGE_BYTES));
  } catch {
    // Full: that is what was wanted.
  } finally {
    closeSync(file);
  }
}
