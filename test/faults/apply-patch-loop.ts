// The victim of the kill test of patches: applies one patch after the other, for ever, and says on
// standard output which version it begins and which one is done.

import { writeSync } from "node:fs";
import { createClawtools, createNodeBridge } from "clawtools";
import { patchTo } from "./apply-patch-content.js";

const STANDARD_OUTPUT = 1;

const [root = "", first = "1"] = process.argv.slice(2);
const { tools } = createClawtools({ catalog: "all" });
const tool = tools.resolve("apply_patch", { root, bridge: createNodeBridge(root) });

for (let version = Number(first); ; version++) {
  const input = patchTo(version);
  writeSync(STANDARD_OUTPUT, `begin ${version}\n`);
  const result = await tool?.execute(`call-${version}`, { input });
  if (!result || result.isError) throw new Error(JSON.stringify(result?.content));
  writeSync(STANDARD_OUTPUT, `done ${version}\n`);
}
