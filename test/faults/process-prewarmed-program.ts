// Program for the test of a containment made ahead: runs one command, says the pid of what waits then,
// and stays to be killed, or ends without closing anything.
// Arguments: "stay" or "end", folder to work in, "bwrap" or "none".

import { readFileSync } from "node:fs";
import { createToolkit } from "clawtools";

const [what, folder = "", wanted] = process.argv.slice(2);
const sandbox = wanted === "bwrap" ? "bwrap" : "none";
const MAX_LIFE_MS = 20_000;
const LOOK_MS = 10;

const toolkit = createToolkit({
  root: folder,
  stateDir: false,
  config: { tools: { exec: { sandbox, security: "full", ask: "off" } } },
});
const { isError, content } = await toolkit.invoke({
  id: "call_1",
  name: "exec",
  arguments: { command: "true" },
});
if (isError) throw new Error(`the command failed: ${JSON.stringify(content)}`);

const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim();
while (children() === "") await new Promise((done) => setTimeout(done, LOOK_MS));
console.log(children());
if (what === "stay") setTimeout(() => process.exit(1), MAX_LIFE_MS);
