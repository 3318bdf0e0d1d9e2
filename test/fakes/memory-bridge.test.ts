// The bridge made of memory takes paths in each form in which tests and tools write them.
import { createClawtools } from "clawtools";
import { expect, it } from "vitest";
import { createMemoryBridge, MEMORY_ROOT } from "./memory-bridge.js";
import { resolveTool } from "./resolve-tool.js";

it.each(["notes/a.txt", "./notes/a.txt", `${MEMORY_ROOT}/notes/a.txt`])(
  "a file given as %s is found by tools and by calls of its own",
  async (path) => {
    const bridge = createMemoryBridge({ [path]: "hello" });
    const { tools: registry } = createClawtools();
    const read = resolveTool({ registry, name: "read", ctx: { bridge, root: MEMORY_ROOT } });
    const { content } = await read.execute("call_1", { path: "notes/a.txt" });
    expect(content).toEqual([{ type: "text", text: "hello" }]);
    expect(String(await bridge.readFile({ filePath: path }))).toBe("hello");
    expect(await bridge.stat({ filePath: "a.txt", cwd: "/elsewhere" })).toBeNull();
  },
);
