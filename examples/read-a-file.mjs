// The documented way to a built-in tool: make an instance, resolve with a bridge, call.
// Run: node examples/read-a-file.mjs [path]
import { createClawtools, createNodeBridge } from "clawtools";

const root = process.cwd();
const { tools } = createClawtools();
const read = tools.resolve("read", { root, bridge: createNodeBridge(root) });
const result = await read?.execute("call_1", { path: process.argv[2] ?? "package.json", limit: 5 });
for (const block of result?.content ?? []) {
  if (block.type === "text") console.log(block.text);
}
