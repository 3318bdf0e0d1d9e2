// The victim of the kill test: writes and edits one file in turn, for ever, and says on standard
// output which version it begins and which one is done.

import { writeSync } from "node:fs";
import { createClawtools, createNodeBridge, type Tool } from "clawtools";
import { contentOf, FILE_NAME, stampOf } from "./write-content.js";

const STANDARD_OUTPUT = 1;

const [root = "", first = "1"] = process.argv.slice(2);
const { tools } = createClawtools();
const context = { root, bridge: createNodeBridge(root) };

function find(name: string): Tool {
  const tool = tools.resolve(name, context);
  if (tool) return tool;
  throw new Error(`"${name}" did not resolve.`);
}

function paramsOf(version: number): Record<string, unknown> {
  return version % 2 === 0
    ? { path: FILE_NAME, content: contentOf(version) }
    : {
        path: FILE_NAME,
        oldText: stampOf(version - 1),
        newText: stampOf(version),
        replaceAll: true,
      };
}

const [write, edit] = [find("write"), find("edit")];
for (let version = Number(first); ; version++) {
  const tool = version % 2 === 0 ? write : edit;
  writeSync(STANDARD_OUTPUT, `begin ${version}\n`);
  const result = await tool.execute(`call-${version}`, paramsOf(version));
  if (result.isError) throw new Error(JSON.stringify(result.content));
  writeSync(STANDARD_OUTPUT, `done ${version}\n`);
}
