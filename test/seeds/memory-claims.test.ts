// The claims of the documents about the memory tools.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit, type Toolkit } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let place: string;
let toolkit: Toolkit;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "clawtools-claims-")));
  const agentDir = join(place, "agent");
  mkdirSync(join(agentDir, "memory"), { recursive: true });
  mkdirSync(join(place, "root", "memory"), { recursive: true });
  writeFileSync(join(place, "root", "memory", "other.md"), "walrus of the root");
  writeFileSync(join(agentDir, "MEMORY.md"), "The walrus is ours.\nIts name is Ada.\n");
  writeFileSync(join(agentDir, "memory", "a.md"), "A walrus and a seal\nsleep on the ice.\n");
  writeFileSync(join(agentDir, "README.md"), "walrus walrus walrus");
  toolkit = createToolkit({ root: join(place, "root"), agentDir, stateDir: join(place, "state") });
});
afterEach(async () => {
  await toolkit.close();
  rmSync(place, { recursive: true, force: true });
});

async function call(name: string, args: Record<string, unknown>) {
  const { details, content, isError } = await toolkit.invoke({ id: "c", name, arguments: args });
  return { details, isError, text: JSON.stringify(content) };
}

describe("claims about the memory tools", () => {
  it("20 · memory files are stored under agentDir, searched and read there", async () => {
    const { text } = await call("memory_search", { query: "walrus" });
    expect(text).not.toContain("of the root");
    expect((await call("memory_get", { path: "MEMORY.md" })).text).toContain("walrus is ours");
  });

  it("313 · memory_search searches MEMORY.md and memory/*.md and nothing else", async () => {
    const { details } = await call("memory_search", { query: "walrus" });
    const paths = JSON.stringify(details)
      .match(/"path":"[^"]*"/g)
      ?.sort();
    expect(paths).toEqual(['"path":"MEMORY.md"', '"path":"memory/a.md"']);
  });

  it("314 · query, maxResults and minScore are its parameters", async () => {
    const one = await call("memory_search", { query: "walrus seal", maxResults: 1 });
    expect(one.details).toMatchObject({ hits: [{ path: "memory/a.md" }] });
    const best = await call("memory_search", { query: "walrus seal", minScore: 0.9 });
    expect(best.details).toMatchObject({ hits: [{ path: "memory/a.md", score: 1 }] });
    expect((await call("memory_search", {})).isError).toBe(true);
  });

  it("316 · memory_get takes path, from and lines", async () => {
    const { details, text } = await call("memory_get", { path: "MEMORY.md", from: 2, lines: 1 });
    expect(details).toMatchObject({ path: "MEMORY.md", startLine: 2, endLine: 2, totalLines: 2 });
    expect(text).toContain("Its name is Ada.");
    expect(text).not.toContain("walrus is ours");
  });
});
