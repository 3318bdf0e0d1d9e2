// A process that writes rows into the audit of a folder, as fast as it can, and says when it has begun.

import { createAuditFile } from "../../src/audit/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createProcessMarks } from "../../src/drivers/store/index.js";
import { auditRow, callContent } from "./sample-rows.js";

const ROWS_PER_TURN = 10;

export async function writeRows([folder = "", count = "0"]: readonly string[]): Promise<void> {
  const audit = createAuditFile({
    folder,
    clock: createSystemClock(),
    random: createSystemRandom(),
    owners: createProcessMarks(),
    report: ({ message }) => console.log(`problem ${message}`),
  });
  for (let index = 0; index < Number(count); index++) {
    audit.append(auditRow({ toolCallId: `${count}-${index}` }), callContent({ index }));
    if (index % ROWS_PER_TURN !== 0) continue;
    await new Promise((done) => setImmediate(done));
    if (index === ROWS_PER_TURN) console.log("writes");
  }
  await audit.close();
  console.log("all");
}
