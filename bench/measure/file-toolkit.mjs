// A toolkit over a folder of its own, as the file rows are measured: through `invoke`, journal and undo
// in the SQLite store, files three folders deep.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit } from "../../dist/index.js";

/** Each way has its own folder: ours looks around in one that somebody else changes. */
const RAW_FOLDER = "one/two/raw";
const OUR_FOLDER = "one/two/ours";

/**
 * Gives `use` the absolute folder for the raw side, the folder for ours below the root, and a function
 * that calls a tool and throws when it fails.
 */
export async function withFileToolkit(use) {
  const root = mkdtempSync(join(tmpdir(), "clawtools-bench-"));
  // The same few calls over and over are a loop, and would be stopped.
  const config = { tools: { loopDetection: { enabled: false } } };
  const toolkit = createToolkit({ root, stateDir: join(root, "state"), config });
  for (const folder of [RAW_FOLDER, OUR_FOLDER]) mkdirSync(join(root, folder), { recursive: true });
  let count = 0;
  const invoke = async (name, args) => {
    const answer = await toolkit.invoke({ id: `call_${count++}`, name, arguments: args });
    if (answer.isError) throw new Error(answer.content[0].text);
  };
  try {
    return await use({ root, rawFolder: join(root, RAW_FOLDER), ourFolder: OUR_FOLDER, invoke });
  } finally {
    await toolkit.close();
    rmSync(root, { recursive: true, force: true });
  }
}
