// What `write` does to a bridge and says about it.

import { describe, expect, it } from "vitest";
import { createMemoryBridge } from "../../../test/fakes/memory-bridge.js";
import { bindAlone } from "../../../test/fakes/resolve-tool.js";
import type { FsBridge } from "../../core/index.js";
import { write } from "./index.js";

const ROOT = "/project";

async function writeThrough(bridge: FsBridge, params: Record<string, unknown>) {
  const result = await bindAlone(write, { bridge, root: ROOT }).execute("call", params);
  const [block] = result.content;
  return { ...result, text: block?.type === "text" ? block.text : "" };
}

describe("write", () => {
  it("makes a file, then replaces it, and counts bytes of UTF-8", async () => {
    const bridge = createMemoryBridge({});
    const first = await writeThrough(bridge, { path: "a.txt", content: "né" });
    expect(first.text).toBe("Wrote 3 bytes to a.txt. The file was created.");
    expect(first.details).toEqual({ path: "a.txt", bytes: 3, created: true, changed: true });
    const second = await writeThrough(bridge, { path: "a.txt", content: "" });
    expect(second.text).toBe("Wrote 0 bytes to a.txt. The file was replaced.");
    expect(second.details).toEqual({
      path: "a.txt",
      bytes: 0,
      created: false,
      changed: true,
      firstChangedLine: 1,
      diff: "@@ -1,1 +0,0 @@\n-né\n\\ No newline at end of file\n",
    });
    expect(await bridge.readFile({ filePath: "a.txt", cwd: ROOT })).toHaveLength(0);
  });

  it.each([
    ["a.txt", []],
    ["a/b/c.txt", ["a/b"]],
    ["a//b.txt", ["a"]],
    ["a\\b.txt", []],
    ["C:\\x\\y.txt", []],
    ["..\\evil.txt", []],
    ["a\\b/c\\d.txt", ["a\\b"]],
    ["a/b/", []],
    ["a/.", []],
    ["a/..", []],
    ["/a.txt", []],
    ["/x/a.txt", ["/x"]],
    ["odd\nfolder/a.txt", ["odd\nfolder"]],
  ])("asks the bridge for the parents of %j: %j", async (path, expected) => {
    const made: string[] = [];
    const bridge: FsBridge = {
      ...createMemoryBridge({}),
      mkdirp: async ({ filePath }) => void made.push(filePath),
    };
    await writeThrough(bridge, { path, content: "x" });
    expect(made).toEqual(expected);
  });

  it("takes file_path for path", async () => {
    const bridge = createMemoryBridge({});
    const { isError, text } = await writeThrough(bridge, { file_path: "b", content: "x" });
    expect(isError).toBeUndefined();
    expect(text).toBe("Wrote 1 byte to b. The file was created.");
    expect(await bridge.stat({ filePath: "b", cwd: ROOT })).not.toBeNull();
  });

  it("writes to the file that @name mentions, if only that exists", async () => {
    const bridge = createMemoryBridge({ [`${ROOT}/a.txt`]: "old" });
    await writeThrough(bridge, { path: "@a.txt", content: "new" });
    expect(String(await bridge.readFile({ filePath: "a.txt", cwd: ROOT }))).toBe("new");
    await writeThrough(bridge, { path: "@scope/x", content: "literal" });
    expect(await bridge.stat({ filePath: "@scope/x", cwd: ROOT })).not.toBeNull();
  });

  it.each(["directory", "other"] as const)("refuses to replace a %s", async (type) => {
    let writes = 0;
    const bridge: FsBridge = {
      ...createMemoryBridge({}),
      stat: async () => ({ type, size: 0, mtimeMs: 0 }),
      writeFile: async () => void writes++,
    };
    const result = await writeThrough(bridge, { path: "d", content: "x" });
    const reason = type === "directory" ? "is_directory" : "not_regular_file";
    expect(result.details).toMatchObject({ code: "invalid_input", reason });
    expect(writes).toBe(0);
  });

  it("refuses half a character instead of writing another one", async () => {
    const bridge = createMemoryBridge({});
    const result = await writeThrough(bridge, { path: "a", content: "x\uD800" });
    expect(result.details).toMatchObject({ reason: "content_not_unicode" });
    expect(await bridge.stat({ filePath: "a", cwd: ROOT })).toBeNull();
  });

  it("escapes what would move the cursor in a name", async () => {
    const bridge = createMemoryBridge({});
    const { text } = await writeThrough(bridge, { path: "\u001b[2Jx", content: "" });
    expect(text).toContain("\\u{001B}[2Jx");
  });
});

describe("write of what is there already", () => {
  it.each(["", "a\nb\n", "né\uFEFF", "x".repeat(300_000)])(
    "changes nothing and does not write",
    async (content) => {
      let writes = 0;
      const bridge = createMemoryBridge({ [`${ROOT}/a`]: content });
      const counting: FsBridge = { ...bridge, writeFile: async () => void writes++ };
      const result = await writeThrough(counting, { path: "a", content });
      expect(result.text).toBe("No changes made to a: it already has this content.");
      const bytes = Buffer.byteLength(content);
      expect(result.details).toEqual({ path: "a", bytes, created: false, changed: false });
      expect(writes).toBe(0);
    },
  );
});

describe("write writes the content as it is given", () => {
  it.each([
    ["without the byte order mark that the file had", "\uFEFFold", "new"],
    ["with the byte order mark that it has", "old", "\uFEFFnew"],
    ["with its own line ends", "a\r\nb\r\n", "a\nc\r\nd"],
    ["without a final line end", "a\n", "b"],
    ["with a NUL", "a", "b\0c"],
    ["with the character that means a broken one", "a", "\uFFFD"],
  ])("%s", async (_, before, content) => {
    const bridge = createMemoryBridge({ [`${ROOT}/a`]: before });
    const result = await writeThrough(bridge, { path: "a", content });
    expect(result.isError).toBeUndefined();
    expect(String(await bridge.readFile({ filePath: "a", cwd: ROOT }))).toBe(content);
  });
});

describe("the diff of a write", () => {
  async function replace(before: string | Buffer, content: string) {
    const bridge = createMemoryBridge({});
    await bridge.writeFile({ filePath: "a", cwd: ROOT, data: before });
    return (await writeThrough(bridge, { path: "a", content })).details;
  }

  it("shows the changed lines", async () => {
    expect(await replace("a\nb\nc\n", "a\nB\nc\n")).toMatchObject({
      firstChangedLine: 2,
      diff: "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
    });
  });

  it.each([
    ["too_long", "of large contents", "a\n".repeat(150_000), "b"],
    ["too_different", "of contents with little in common", "a\n", "b 1\n".repeat(2_500)],
    ["not_text", "of what was no UTF-8", Buffer.from([0x61, 0xff]), "b"],
    ["not_text", "of what held a NUL", "a\0", "b"],
  ])("is left out, with the reason %s: %s", async (reason, _, before, content) => {
    const details = await replace(before, content);
    expect(details).toMatchObject({ changed: true, diffOmitted: reason });
    expect(details).not.toHaveProperty("diff");
  });
});
