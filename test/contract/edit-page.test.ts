// docs/edit.md and docs/write.md: what they show is what the tools answer, and their numbers hold.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolDefinition } from "clawtools";
import { describe, expect, it } from "vitest";
import { edit } from "../../src/tools/edit/index.js";
import { write } from "../../src/tools/write/index.js";
import { createMemoryBridge, MEMORY_ROOT } from "../fakes/memory-bridge.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const readPage = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");
const KIBIBYTE = 1024;
const MEBIBYTE = KIBIBYTE ** 2;

async function call(tool: ToolDefinition, given: { file?: string; params: object }) {
  const bridge = createMemoryBridge(given.file === undefined ? {} : { f: given.file });
  const bound = bindAlone(tool, { bridge, root: MEMORY_ROOT });
  const result = await bound.execute("call", { path: "f", ...given.params });
  const [block] = result.content;
  const after = await bridge.readFile({ filePath: "f", cwd: MEMORY_ROOT });
  return { ...result, text: block?.type === "text" ? block.text : "", after: String(after) };
}

describe("docs/edit.md", () => {
  const page = readPage("edit.md");

  it("shows the real error for a text that is not found", async () => {
    const shown = /```text\n([\s\S]*?)```/.exec(page)?.[1]?.trimEnd();
    const file = 'def greet():\n\tprint("hi")\n';
    const oldText = 'def greet():\n    print("hi")';
    const { details } = await call(edit, { file, params: { oldText, newText: "x" } });
    expect((details as { error: string }).error.replace('"f"', '"greet.py"')).toBe(shown);
  });

  it("shows a real loose edit", async () => {
    const row = /^\| `(say.*)` \| `(.*)` \| `(.*)` \| `(.*)` \|$/m.exec(page) ?? [];
    const [, file = "", oldText, newText, after] = row;
    const result = await call(edit, { file, params: { oldText, newText } });
    expect(result.after).toBe(after);
    expect(result.details).toMatchObject({ fit: "loose" });
  });

  it("says how many replacements there may be", async () => {
    const [, count = ""] = /(\d+) replacements by one edit/.exec(page) ?? [];
    const many = (times: number) => ({
      file: "a".repeat(times),
      params: { oldText: "a", newText: "b", replaceAll: true },
    });
    expect((await call(edit, many(Number(count)))).isError).toBeUndefined();
    expect((await call(edit, many(Number(count) + 1))).details).toMatchObject({
      reason: "too_many_matches",
    });
  });

  it("says how large a file may be, and how many edits a call may have", async () => {
    const [, mebibytes = "", edits = ""] = /up to (\d+) MiB, (\d+) edits/.exec(page) ?? [];
    const bridge = createMemoryBridge({ f: "ab" });
    const size = Number(mebibytes) * MEBIBYTE;
    const sized = (bytes: number) => ({
      ...bridge,
      stat: async () => ({ type: "file" as const, size: bytes, mtimeMs: 0 }),
    });
    const params = { path: "f", oldText: "a", newText: "b" };
    for (const [bytes, reason] of [
      [size, undefined],
      [size + 1, "file_too_large"],
    ] as const) {
      const tool = bindAlone(edit, { bridge: sized(bytes), root: MEMORY_ROOT });
      const { details } = await tool.execute("call", params);
      expect((details as { reason?: string }).reason).toBe(reason);
    }
    const list = (count: number) =>
      Array.from({ length: count }, () => ({ oldText: "b", newText: "c" }));
    const { isError } = await call(edit, { file: "b", params: { edits: list(Number(edits)) } });
    expect(isError).toBeUndefined();
    const over = await call(edit, { file: "b", params: { edits: list(Number(edits) + 1) } });
    expect(over.details).toMatchObject({ code: "invalid_input" });
  });
});

describe("docs/write.md", () => {
  const page = readPage("write.md");

  it("shows the real answers", async () => {
    const answers = await Promise.all([
      call(write, { params: { content: "abc" } }),
      call(write, { file: "x", params: { content: "abc" } }),
      call(write, { file: "abc", params: { content: "abc" } }),
    ]);
    for (const { text } of answers) {
      expect(page).toContain(`| \`${text.replace(/ f([.:])/, " a.txt$1")}\` |`);
    }
  });

  it("says up to which size there is a diff", async () => {
    const [, kibibytes = ""] = /more than (\d+) KiB/.exec(page) ?? [];
    const size = Number(kibibytes) * KIBIBYTE;
    const omitted = async (bytes: number) => {
      const { details } = await call(write, { file: "a", params: { content: "x".repeat(bytes) } });
      return (details as { diffOmitted?: string }).diffOmitted;
    };
    expect(await omitted(size)).toBeUndefined();
    expect(await omitted(size + 1)).toBe("too_long");
  });

  it("says how many lines may differ", async () => {
    const [, count = ""] = /more than (\d+) lines differ/.exec(page) ?? [];
    const lines = (many: number) =>
      Array.from({ length: many }, (_, index) => `${index}\n`).join("");
    const omitted = async (many: number) => {
      const { details } = await call(write, { file: "", params: { content: lines(many) } });
      return (details as { diffOmitted?: string }).diffOmitted;
    };
    expect(await omitted(Number(count))).toBeUndefined();
    expect(await omitted(Number(count) + 1)).toBe("too_different");
  });
});
