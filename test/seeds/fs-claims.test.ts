// The documented statements on the fs section, root, bridge and FsBridge, by their numbers.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createClawtools,
  createClawtoolsAsync,
  createToolkit,
  type FsBridge,
  type FsStat,
  type ToolContext,
  type ToolResult,
} from "clawtools";
import { createNodeBridge } from "clawtools/tools";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";

const FS_TOOLS = ["edit", "read", "write"];
/** The smallest PNG: one pixel. */
const PNG_BASE64 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "fs-claims-")));
  writeFileSync(join(root, "README.md"), "# Title\n");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function fsToolNames(ctx: ToolContext): string[] {
  const names = createClawtools()
    .tools.resolveAll(ctx)
    .map(({ name }) => name);
  return names.filter((name) => FS_TOOLS.includes(name)).sort();
}

function call(ctx: ToolContext, name: string, params: Record<string, unknown>) {
  const tool = createClawtools().tools.resolve(name, ctx);
  if (!tool) throw new Error(`"${name}" did not resolve.`);
  return tool.execute("call", params);
}

function textOf(result: ToolResult): string {
  const [block] = result.content;
  return block?.type === "text" ? block.text : "";
}

describe("the fs section and its context", () => {
  it("13 · fs section requires `root` and `bridge`; otherwise dropped", () => {
    const bridge = createNodeBridge(root);
    expect(fsToolNames({ root, bridge })).toEqual(FS_TOOLS);
    expect(fsToolNames({ root })).toEqual([]);
    expect(fsToolNames({ bridge })).toEqual([]);
    expect(fsToolNames({})).toEqual([]);
  });

  it("14 · `root` defaults to workspaceDir", async () => {
    const ctx = { workspaceDir: root, bridge: createNodeBridge(root) };
    expect(fsToolNames(ctx)).toEqual(FS_TOOLS);
    expect(textOf(await call(ctx, "read", { path: "README.md" }))).toBe("# Title\n");
  });

  it("69 · ToolContext.root, bridge", async () => {
    const sub = join(root, "sub");
    mkdirSync(sub);
    const bridge = createNodeBridge(root);
    await call({ workspaceDir: root, root: sub, bridge }, "write", {
      path: "x",
      content: "in sub",
    });
    expect(readFileSync(join(sub, "x"), "utf8")).toBe("in sub");
  });
});

describe("the bridge over a folder", () => {
  it("71 · `createNodeBridge(root)` from `clawtools/tools`", async () => {
    const bridge = createNodeBridge(root);
    expect(String(await bridge.readFile({ filePath: "README.md" }))).toBe("# Title\n");
  });

  it("72 · `FsBridge`, `FsStat` types from `clawtools`", () => {
    expectTypeOf(createNodeBridge(root)).toExtend<FsBridge>();
    const stat: FsStat = { type: "file", size: 42, mtimeMs: 0 };
    expect(stat.size).toBe(42);
  });

  it("73 · stat({filePath,cwd}) -> FsStat or null; {type,size,mtimeMs}", async () => {
    const bridge = createNodeBridge(root);
    const beforeMs = Date.now();
    await bridge.writeFile({ filePath: "d/f", data: "12345" });
    const file = await bridge.stat({ filePath: "f", cwd: join(root, "d") });
    expect(file).toEqual({ type: "file", size: 5, mtimeMs: expect.any(Number) });
    expect(Math.abs((file?.mtimeMs ?? 0) - beforeMs)).toBeLessThan(60_000);
    expect(await bridge.stat({ filePath: "d" })).toMatchObject({ type: "directory" });
    expect(await bridge.stat({ filePath: "absent" })).toBeNull();
    expect(await bridge.stat({ filePath: "README.md/below" })).toBeNull();
    await expect(bridge.stat({ filePath: "../x" })).rejects.toMatchObject({ code: "denied" });
  });

  it("74 · readFile({filePath,cwd}) -> Buffer", async () => {
    const bridge = createNodeBridge(root);
    mkdirSync(join(root, "d"));
    writeFileSync(join(root, "d", "bytes"), Buffer.from([0, 128, 255]));
    const bytes = await bridge.readFile({ filePath: "bytes", cwd: join(root, "d") });
    expect(Buffer.isBuffer(bytes)).toBe(true);
    expect([...bytes]).toEqual([0, 128, 255]);
  });

  it("75 · mkdirp({filePath,cwd})", async () => {
    const bridge = createNodeBridge(root);
    await bridge.mkdirp({ filePath: "a/b/c", cwd: root });
    await bridge.mkdirp({ filePath: "b/c", cwd: join(root, "a") });
    expect(await bridge.stat({ filePath: "a/b/c" })).toMatchObject({ type: "directory" });
  });

  it("76 · writeFile({filePath,cwd,data: string or Buffer})", async () => {
    const bridge = createNodeBridge(root);
    await bridge.writeFile({ filePath: "new/text", cwd: root, data: "né" });
    await bridge.writeFile({ filePath: "new/bytes", data: Buffer.from([1, 0, 2]) });
    expect(readFileSync(join(root, "new/text"), "utf8")).toBe("né");
    expect([...readFileSync(join(root, "new/bytes"))]).toEqual([1, 0, 2]);
  });
});

describe("the tools on a bridge", () => {
  it("77 · custom four-method bridge (container, virtual fs, remote) works with read/write/edit", async () => {
    const files = new Map<string, Buffer>();
    const key = ({ filePath, cwd }: { filePath: string; cwd?: string }) => `${cwd}:${filePath}`;
    const bridge: FsBridge = {
      async stat(path) {
        const found = files.get(key(path));
        return found ? { type: "file", size: found.length, mtimeMs: 0 } : null;
      },
      async readFile(path) {
        return files.get(key(path)) ?? Buffer.alloc(0);
      },
      async mkdirp({ filePath }) {
        files.set(`made:${filePath}`, Buffer.alloc(0));
      },
      async writeFile({ data, ...path }) {
        files.set(key(path), Buffer.from(data));
      },
    };
    const ctx = { workspaceDir: "/sandbox/workspace", root: "/sandbox/workspace", bridge };
    expect(textOf(await call(ctx, "write", { path: "n/a.txt", content: "one\ntwo\n" }))).toBe(
      "Wrote 8 bytes to n/a.txt. The file was created.",
    );
    expect([...files.keys()]).toEqual(["made:n", "/sandbox/workspace:n/a.txt"]);
    const edited = await call(ctx, "edit", { path: "n/a.txt", oldText: "two", newText: "three" });
    expect(edited.isError).toBeUndefined();
    expect(textOf(await call(ctx, "read", { path: "n/a.txt" }))).toBe("one\nthree\n");
    expect((await call(ctx, "read", { path: "absent" })).details).toMatchObject({
      code: "not_found",
    });
  });

  it('78 · read via bridge: `read {path:"README.md"}` works after resolveAll', async () => {
    const ct = await createClawtoolsAsync();
    const tools = ct.tools.resolveAll({ workspaceDir: root, root, bridge: createNodeBridge(root) });
    const readTool = tools.find(({ name }) => name === "read");
    const result = await readTool?.execute(crypto.randomUUID(), { path: "README.md" });
    expect(result?.content).toEqual([{ type: "text", text: "# Title\n" }]);
  });

  it.each([
    ["126 · `file_path` -> `path` (read, write, edit)", { file_path: "README.md" }],
    ["130 · the documented name works as well", { path: "README.md" }],
  ])("%s", async (_, path) => {
    const ctx = { root, bridge: createNodeBridge(root) };
    const edits = { oldText: "Title", newText: "Other" };
    expect((await call(ctx, "edit", { ...path, ...edits })).isError).toBeUndefined();
    expect(textOf(await call(ctx, "read", path))).toBe("# Other\n");
    expect((await call(ctx, "write", { ...path, content: "x" })).isError).toBeUndefined();
    expect(readFileSync(join(root, "README.md"), "utf8")).toBe("x");
  });

  it("127, 128 · `old_string` -> `oldText`, `new_string` -> `newText`", async () => {
    const ctx = { root, bridge: createNodeBridge(root) };
    const params = { path: "README.md", old_string: "Title", new_string: "" };
    expect((await call(ctx, "edit", params)).isError).toBeUndefined();
    expect(readFileSync(join(root, "README.md"), "utf8")).toBe("# \n");
  });

  it("182 · read: path -> text, or base64 image", async () => {
    const ctx = { root, bridge: createNodeBridge(root) };
    writeFileSync(join(root, "dot.bin"), Buffer.from(PNG_BASE64, "base64"));
    const { content } = await call(ctx, "read", { path: "dot.bin" });
    expect(content.at(-1)).toEqual({ type: "image", data: PNG_BASE64, mimeType: "image/png" });
  });

  it("183 · write: path, content", async () => {
    const ctx = { root, bridge: createNodeBridge(root) };
    const result = await call(ctx, "write", { path: "deep/er/f.txt", content: "" });
    expect(result.details).toMatchObject({ path: "deep/er/f.txt", bytes: 0, created: true });
    expect(readFileSync(join(root, "deep/er/f.txt"), "utf8")).toBe("");
  });

  it("184 · edit: path, oldText, newText", async () => {
    const ctx = { root, bridge: createNodeBridge(root) };
    const params = { path: "README.md", oldText: "Title", newText: "Head" };
    expect((await call(ctx, "edit", params)).details).toMatchObject({ replacements: 1 });
    expect(readFileSync(join(root, "README.md"), "utf8")).toBe("# Head\n");
  });

  it("186 · apply_patch experimental, `tools.exec.applyPatch.enabled`", async () => {
    const statusOf = async (provider: string, applyPatch: { enabled?: boolean }) => {
      const toolkit = createToolkit({
        root,
        provider,
        config: { tools: { exec: { applyPatch } } },
      });
      const { status } = toolkit.explain("apply_patch");
      await toolkit.close();
      return status;
    };
    expect(await statusOf("anthropic", {})).toBe("absent");
    expect(await statusOf("anthropic", { enabled: true })).toBe("present");
    expect(await statusOf("openai", {})).toBe("present");
    expect(await statusOf("openai", { enabled: false })).toBe("absent");
  });
});
