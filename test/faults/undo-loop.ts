// The victim of the kill test of undo: replaces one file as one call after the other, for ever, takes
// every third of them back and brings it back again, and says which version it begins and has done.

import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { createNodeBridge } from "../../src/drivers/fs/index.js";
import { openUndoHistory } from "./undo-history.js";
import { contentOf, FILE_NAME } from "./write-content.js";

const STANDARD_OUTPUT = 1;
const UNDO_EVERY = 3;

const [root = "", state = "", first = "1"] = process.argv.slice(2);
const { history } = openUndoHistory({
  root,
  state,
  hex: (count) => randomBytes(count).toString("hex"),
});
const bridge = createNodeBridge(root);

for (let version = Number(first); ; version++) {
  const toolCallId = `call-${version}`;
  writeSync(STANDARD_OUTPUT, `begin ${version}\n`);
  const recording = history.record({ toolCallId, toolName: "write" }, bridge);
  await recording.bridge.writeFile({ filePath: FILE_NAME, data: contentOf(version) });
  const [problem] = recording.problems();
  if (problem) throw new Error(problem.message);
  writeSync(STANDARD_OUTPUT, `done ${version}\n`);
  if (version % UNDO_EVERY !== 0) continue;
  const { undoId } = await history.undo({ toolCallId, bridge });
  await history.undo({ toolCallId: undoId, bridge });
}
