// The victim of the kill test for moves: goes through the steps for ever and says on standard output
// which one it begins and which one is done.

import { writeSync } from "node:fs";
import { createNodeBridge } from "../../src/drivers/fs/index.js";
import { contentOf, FROM, type Step, stepOf, TO } from "./move-steps.js";

const STANDARD_OUTPUT = 1;

const [root = "", first = "0"] = process.argv.slice(2);
const bridge = createNodeBridge(root);

const DO: Record<Step, (step: number) => Promise<void>> = {
  prepare: (step) => bridge.writeFile({ filePath: TO, data: contentOf(step, "old") }),
  write: (step) => bridge.writeFile({ filePath: FROM, data: contentOf(step, "new") }),
  rename: () => bridge.rename({ filePath: FROM, to: TO }),
  remove: () => bridge.remove({ filePath: TO }),
};

for (let step = Number(first); ; step++) {
  writeSync(STANDARD_OUTPUT, `begin ${step}\n`);
  await DO[stepOf(step)](step);
  writeSync(STANDARD_OUTPUT, `done ${step}\n`);
}
