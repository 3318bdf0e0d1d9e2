// The victim of the kill test of a whole toolkit: brings one file from version to version by write,
// edit and apply_patch in turn, for ever, takes every second version back and brings it back again,
// and says which version it begins and has done.

import { writeSync } from "node:fs";
import { createToolkit } from "../../src/toolkit/index.js";
import { stepTo } from "./toolkit-steps.js";

const STANDARD_OUTPUT = 1;
const UNDO_EVERY = 2;

export async function change([root = "", stateDir = "", first = "1"]: readonly string[]) {
  const say = (line: string) => writeSync(STANDARD_OUTPUT, `${line}\n`);
  const toolkit = createToolkit({
    ...{ root, stateDir },
    config: { tools: { exec: { applyPatch: { enabled: true } } } },
  });
  toolkit.on("notice", ({ message }) => {
    throw new Error(message);
  });
  for (let version = Number(first); ; version++) {
    const id = `call-${version}`;
    say(`begin ${version}`);
    const { isError, content } = await toolkit.invoke({ id, ...stepTo(version) });
    if (isError) throw new Error(JSON.stringify(content));
    say(`done ${version}`);
    if (version % UNDO_EVERY !== 0) continue;
    const { undoId } = await toolkit.undo(id);
    await toolkit.undo(undoId);
  }
}
