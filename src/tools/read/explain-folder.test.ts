// What `read` says of a folder: its names, so many at a time.

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
    expect(details).not.toHaveProperty("nextOffset");
  });

  it("names 100 at a time and the call that continues, until all were named once", async () => {
    const bridge = many(250);
    const { error, details } = await readFolder(bridge, { path: "d" });
    expect(error).toMatch(
      /"f10099" \(names 1-100 of 250; the next with offset=101\)\. Name a file in it\.$/,
    );
    expect(details).toMatchObject({ totalEntries: 250, nextOffset: 101 });
    const seen: unknown[] = [];
    let offset: unknown = 1;
    while (offset !== undefined) {
      const page = await readFolder(bridge, { path: "d", offset });
      seen.push(...(page.details.entries as unknown[]));
      offset = page.details.nextOffset;
    }
    expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => `f${10_000 + index}`));
  });

  it("names those that were asked for, and how many of them are still to come", async () => {
    const part = await readFolder(many(9), { path: "d", offset: 3, limit: 2 });
    expect(part.error).toContain('"f10002", "f10003" (names 3-4 of 9; the next with offset=5).');
    const long = await readFolder(many(250), { path: "d", limit: 130 });
    expect(long.error).toContain("(names 1-100 of 250; the next with offset=101, limit=30)");
    expect(long.details).toMatchObject({ nextOffset: 101, nextLimit: 30 });
    const last = await readFolder(many(9), { path: "d", offset: 8 });
    expect(last.error).toContain('it holds "f10007", "f10008" (names 8-9 of 9).');
  });

  it("escapes what would end a line in a name, for programs not", async () => {
    const { error, details } = await readFolder(bridgeOf("d/a\nb"), { path: "d" });
    expect(error).toContain('it holds "a\\u{000A}b".');
    expect(details.entries).toEqual(["a\nb"]);
  });

  it("says that it is empty, and when an offset is past the last name", async () => {
    const bridge: FsBridge = {
      ...createMemoryBridge({}),
      stat: async () => ({ type: "directory", size: 0, mtimeMs: 0 }),
      list: async () => [],
    };
    const empty = await readFolder(bridge, { path: "d" });
    expect(empty.error).toBe('"d" is a folder: it is empty. Name a file in it.');
    const past = await readFolder(many(2), { path: "d", offset: 3 });
    expect(past.error).toBe(
      '"d" is a folder with 2 names, and offset 3 is past them. Name a file in it.',
    );
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
