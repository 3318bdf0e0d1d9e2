// A process of the file tests: adds numbered grants to one list of approvals, and says on standard
// output which one it begins and which one is done.

import { writeSync } from "node:fs";
import { addGrants, createGrantsFile } from "../../src/drivers/approvals/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createProcessMarks } from "../../src/drivers/store/index.js";
import { toUuid } from "../../src/lib/uuid.js";

const STANDARD_OUTPUT = 1;

const [path = "", name = "", first = "1", last = "Infinity"] = process.argv.slice(2);
const clock = createSystemClock();
const random = createSystemRandom();
const owners = createProcessMarks();
const grantsFile = createGrantsFile({
  path,
  clock,
  random,
  owners,
});

for (let number = Number(first); number <= Number(last); number++) {
  writeSync(STANDARD_OUTPUT, `begin ${number}\n`);
  await grantsFile.change((document) => {
    const grants = [{ pattern: `/bin/${name}-${number}` }];
    const newId = () => toUuid(random.hex(16));
    const request = { agentId: "main", grants, source: "test", addedBy: name, nowMs: 0, newId };
    return addGrants(document, request).document;
  });
  writeSync(STANDARD_OUTPUT, `done ${number}\n`);
}
