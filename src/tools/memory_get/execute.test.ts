// Lines of a note through the tool: windows, citations, notes that are not there.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bindAlone } from "../../../test/fakes/resolve-tool.js";
import { memoryGet } from "./index.js";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "clawtools-get-")));
  mkdirSync(join(root, "memory", "2026"), { recursive: true });
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  writeFileSync(join(root, "memory", "a.md"), `${lines.join("\n")}\n`);
  writeFileSync(join(root, "MEMORY.md"), "main\r\nsecond\r\n");
  writeFileSync(join(root, "README.md"), "no note");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function get(params: Record<string, unknown>, resultChars = 50_000) {
  const tool = bindAlone(memoryGet, { agentDir: root, config: { limits: { resultChars } } });
  const result = await tool.execute("call_1", params);
  const [block] = result.content;
  return { result, details: result.details, text: block?.type === "text" ? block.text : "" };
}

describe("memory_get", () => {
  it("gives the whole of a short note, line ends alike, as data from outside", async () => {
    const { text, result } = await get({ path: "MEMORY.md" });
    expect(text).toContain("\nmain\nsecond\n");
    expect(result.untrusted).toEqual({ source: "memory notes" });
    expect(result.details).toEqual({
      ...{ status: "ok", path: "MEMORY.md", startLine: 1, endLine: 2, totalLines: 2 },
    });
  });

  it("gives a window of lines and names the one that continues", async () => {
    const { text, details } = await get({ path: "memory/a.md", from: 11, lines: 5 });
    expect(text).toContain("line 11\nline 12\nline 13\nline 14\nline 15\n");
    expect(text).not.toContain("line 16\n");
    expect(text).toContain("[Lines 11 to 15 of 40 of memory/a.md; from 16 continues.]");
    expect(details).toMatchObject({ startLine: 11, endLine: 15, truncated: true, nextFrom: 16 });
  });

  it("takes the place of a hit as memory_search writes it", async () => {
    const { details } = await get({ path: "memory/a.md#L3-L9" });
    expect(details).toMatchObject({ path: "memory/a.md", startLine: 3, endLine: 9 });
    expect((await get({ path: "memory/a.md#L40" })).details).toMatchObject({ startLine: 40 });
  });

  it("is cut at whole lines when the note is longer than a result", async () => {
    const long = Array.from({ length: 500 }, (_, index) => `this is line ${index + 1}`).join("\n");
    writeFileSync(join(root, "memory", "long.md"), long);
    const { text, details } = await get({ path: "memory/long.md" }, 2_000);
    expect(text.length).toBeLessThan(2_500);
    expect(details).toMatchObject({ truncated: true });
    expect(text).toMatch(/from \d+ continues/);
  });

  it("a note that is not there is an answer that names the nearest", async () => {
    const { result } = await get({ path: "memory/b.md" });
    expect(result.isError).toBeUndefined();
    expect(result.details).toEqual({
      ...{ status: "not_found", path: "memory/b.md", nearest: ["memory/a.md"] },
    });
    expect((await get({ path: "memory/2026/01-01.md" })).details).toMatchObject({
      status: "not_found",
    });
  });

  it("lines beyond the end are none, and that is said", async () => {
    expect((await get({ path: "memory/a.md", from: 99 })).text).toContain("has 40 lines, and none");
  });

  it.each([
    "README.md",
    "../secret.md",
    "memory/../README.md",
    "memory/../../etc/passwd.md",
    "/etc/passwd",
    "memory/a.txt",
    "memory",
    "memory/\0.md",
  ])("%j is no note and is refused", async (path) => {
    const { result } = await get({ path });
    expect(result.isError).toBe(true);
    expect(result.details).toMatchObject({ reason: "path_not_a_note" });
  });
});
