// What `read` says of a folder: the first of its names.

import { describe, expect, it } from "vitest";
import { createOpeningBridge, READ_ROOT } from "../../../test/contract/read-bridges.js";
import { createMemoryBridge } from "../../../test/fakes/memory-bridge.js";
import { bindAlone } from "../../../test/fakes/resolve-tool.js";
import type { FsBridge } from "../../core/index.js";
import { read } from "./index.js";

const bridgeOf = (...names: string[]): FsBridge =>
  createOpeningBridge(Object.fromEntries(names.map((name) => [name, Buffer.from("x")])));

const many = (count: number) =>
  bridgeOf(...Array.from({ length: count }, (_, index) => `d/f${10_000 + index}`));

async function readFolder(bridge: FsBridge, params: Record<string, unknown>) {
  const tool = bindAlone(read, { bridge, root: READ_ROOT });
  const { content, details, isError } = await tool.execute("call", params);
  expect(isError).toBe(true);
  expect(details).toMatchObject({ code: "invalid_input", reason: "is_directory" });
  const text = content[0]?.type === "text" ? content[0].text : "";
  return { error: String(JSON.parse(text).error), details: details as Record<string, unknown> };
}

describe("read of a folder", () => {
  it("names what is in it, in order, folders with a slash", async () => {
    const bridge = bridgeOf("src/b.ts", "src/a.ts", "src/lib/c.ts");
    const { error, details } = await readFolder(bridge, { path: "src" });
    expect(error).toBe('"src" is a folder: it holds "a.ts", "b.ts", "lib/". Name a file in it.');
    expect(details).toMatchObject({ entries: ["a.ts", "b.ts", "lib/"], totalEntries: 3 });
  });

  it("names the first 100 and says how many more there are", async () => {
    const { error, details } = await readFolder(many(250), { path: "d" });
    expect(error).toMatch(/"f10099" and 150 more\. Name a file in it, or list it with ls\.$/);
    expect(details).toMatchObject({ totalEntries: 250 });
    expect(details.entries).toHaveLength(100);
  });

  it("escapes what would end a line in a name, for programs not", async () => {
    const { error, details } = await readFolder(bridgeOf("d/a\nb"), { path: "d" });
    expect(error).toContain('it holds "a\\u{000A}b".');
    expect(details.entries).toEqual(["a\nb"]);
  });

  it("says that it is empty", async () => {
    const bridge: FsBridge = {
      ...createMemoryBridge({}),
      stat: async () => ({ type: "directory", size: 0, mtimeMs: 0 }),
      list: async () => [],
    };
    const empty = await readFolder(bridge, { path: "d" });
    expect(empty.error).toBe('"d" is a folder: it is empty. Name a file in it.');
  });

  it("is plain about a bridge that cannot list", async () => {
    const bridge: FsBridge = {
      ...createMemoryBridge({}),
      stat: async () => ({ type: "directory", size: 0, mtimeMs: 0 }),
    };
    const { error } = await readFolder(bridge, { path: "src" });
    expect(error).toBe('"src" is a folder; name a file in it.');
  });
});
