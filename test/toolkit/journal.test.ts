// The journal of a toolkit: which calls it holds, in the state folder or, where there can be none, in
// memory; several toolkits on one folder.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { createToolkit, defineTool, type Toolkit, t, textResult } from "clawtools";
import { describe, expect, it, vi } from "vitest";
import { createStateSetting, write } from "./state-setting.js";

const idle = defineTool({
  name: "idle",
  description: "Changes nothing, but might.",
  parameters: t.object({}),
  execute: async () => textResult("done"),
});

describe("the journal of a toolkit", () => {
  it("has a row of each call that may change something, with its end", async () => {
    const { start, readJournal, root } = createStateSetting();
    const { toolkit } = start({ sessionKey: "agent:main:main", tools: [idle] });
    await write(toolkit, { id: "w1", content: "one" });
    await toolkit.invoke({ id: "r1", name: "read", arguments: { path: "a.txt" } });
    await toolkit.invoke({ id: "i1", name: "idle", arguments: {} });
    await write(toolkit, { id: "w2", path: "../out", content: "x" });
    const rows = await readJournal();
    expect(rows.map(({ toolCallId, end }) => [toolCallId, end.outcome])).toEqual([
      ["w2", "error"],
      ["i1", "ok"],
      ["w1", "ok"],
    ]);
    expect(rows[2]).toMatchObject({
      toolName: "write",
      sessionKey: "agent:main:main",
      argumentsText: '{"path":"a.txt","content":"one"}',
      root,
    });
  });

  it("has a row of each undo, also of one that is refused", async () => {
    const { start, readJournal } = createStateSetting();
    const { toolkit } = start();
    await write(toolkit, { id: "w1", content: "one" });
    await toolkit.undo("w1");
    await expect(toolkit.undo("w1")).rejects.toMatchObject({ reason: "undo_done" });
    const rows = await readJournal();
    expect(
      rows.map(({ toolCallId, toolName, end }) => [toolCallId, toolName, end.outcome]),
    ).toEqual([
      ["w1", "undo", "error"],
      ["w1", "undo", "ok"],
      ["w1", "write", "ok"],
    ]);
  });

  it("is the same for toolkits of one process on one folder, and none ends calls of the other", async () => {
    const { start, readJournal } = createStateSetting();
    const first = start();
    const second = start();
    await Promise.all(
      [first, second].flatMap(({ toolkit }, who) =>
        [1, 2, 3].map((count) =>
          write(toolkit, { id: `${who}-${count}`, path: `${who}-${count}.txt`, content: "x" }),
        ),
      ),
    );
    await first.toolkit.close();
    await write(second.toolkit, { id: "later", content: "x" });
    const rows = await readJournal();
    expect(rows).toHaveLength(7);
    expect(rows.every(({ end }) => end.outcome === "ok")).toBe(true);
    expect([...first.notices, ...second.notices]).toEqual([]);
    expect(await second.toolkit.interrupted()).toEqual([]);
    await second.toolkit.undo("0-1");
  });

  it("lists a call that was stopped on its way, for its own root only", async () => {
    const { start, place } = createStateSetting();
    const stop = new AbortController();
    const begun = vi.fn(() => stop.abort());
    const slow = defineTool({
      name: "slow",
      description: "Never ends by itself.",
      parameters: t.object({}),
      execute: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          begun();
        }),
    });
    const { toolkit } = start({ tools: [slow] });
    const answer = toolkit.invoke({ id: "s1", name: "slow", arguments: {}, signal: stop.signal });
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(await toolkit.interrupted()).toMatchObject([{ toolCallId: "s1", toolName: "slow" }]);
    mkdirSync(join(place, "other"));
    const { toolkit: elsewhere } = start({ root: join(place, "other") });
    expect(await elsewhere.interrupted()).toEqual([]);
  });

  it("is not asked any more when the toolkit is closed", async () => {
    const { start } = createStateSetting();
    const { toolkit } = start();
    await toolkit.close();
    await expect(toolkit.interrupted()).rejects.toMatchObject({ reason: "toolkit_closed" });
  });
});

describe("a toolkit with stateDir: false", () => {
  it("writes nothing beside the files of its calls, and says so only when it is asked", async () => {
    const { start, place } = createStateSetting();
    const { toolkit, notices } = start({ stateDir: false });
    expect((await write(toolkit, { id: "1", content: "x" })).isError).toBe(false);
    for (const question of [toolkit.undo("1"), toolkit.changes(), toolkit.interrupted()]) {
      await expect(question).rejects.toMatchObject({ reason: "state_off" });
    }
    await toolkit.close();
    expect(readdirSync(place, { recursive: true }).sort()).toEqual(["root", join("root", "a.txt")]);
    expect(notices).toEqual([]);
  });

  it("cannot be made where undo is required", () => {
    const { start } = createStateSetting();
    const config = { undo: { required: true } };
    expect(() => start({ stateDir: false, config })).toThrow(/stateDir: false/);
  });
});

describe("a state folder that cannot be used", () => {
  const OBSTACLES: Record<string, (stateDir: string) => void> = {
    "a file in its place": (stateDir) => writeFileSync(stateDir, "a file"),
    "a database of another kind": (stateDir) => {
      mkdirSync(stateDir);
      writeFileSync(join(stateDir, "state.db"), "no database at all, but long enough ".repeat(200));
    },
    "a folder in place of the database": (stateDir) => {
      mkdirSync(join(stateDir, "state.db"), { recursive: true });
    },
  };

  it.each(Object.entries(OBSTACLES))(
    "because of %s costs one notice and no call",
    async (...[, obstruct]) => {
      const { start, stateDir, root } = createStateSetting();
      obstruct(stateDir);
      const { toolkit, notices } = start({ tools: [idle] });
      for (const id of ["1", "2", "3"]) {
        const answer = await write(toolkit, { id, content: id });
        expect(answer).toMatchObject({
          isError: false,
          details: { changed: true, undo: { available: false } },
        });
      }
      expect((await toolkit.invoke({ id: "4", name: "idle" })).isError).toBe(false);
      expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("3");
      expect(notices).toEqual([
        expect.stringMatching(/^State cannot be kept: .*not journaled\.$/s),
      ]);
      await expect(toolkit.changes()).rejects.toMatchObject({ name: "ToolError" });
    },
  );

  it("is tried again by each call, and told again when it is lost again", async () => {
    const { start, stateDir, readJournal } = createStateSetting();
    writeFileSync(stateDir, "a file");
    const { toolkit, notices } = start();
    await write(toolkit, { id: "1", content: "1" });
    rmSync(stateDir);
    await write(toolkit, { id: "2", content: "2" });
    expect((await readJournal()).map(({ toolCallId }) => toolCallId)).toEqual(["2"]);
    await toolkit.undo("2");
    expect(notices).toHaveLength(1);
  });

  it("is none at all for a user without a home, and that is told once", async () => {
    const { root } = createStateSetting();
    vi.stubEnv("CLAWTOOLS_STATE_DIR", "");
    vi.stubEnv("HOME", "");
    let toolkit: Toolkit | undefined;
    const notices: string[] = [];
    try {
      toolkit = createToolkit({ root });
      toolkit.on("notice", ({ message }) => notices.push(message));
      for (const id of ["1", "2"]) {
        expect((await write(toolkit, { id, content: id })).isError).toBe(false);
      }
      await expect(toolkit.undo("1")).rejects.toMatchObject({ reason: "no_home_folder" });
    } finally {
      await toolkit?.close();
      vi.unstubAllEnvs();
    }
    expect(notices).toEqual([expect.stringContaining("Set stateDir")]);
  });
});

describe("a file", () => {
  const PATCH = "*** Begin Patch\n*** Add File: sub/c.txt\n+new\n*** End Patch";
  const calls = {
    "is replaced": { name: "write", arguments: { path: "a.txt", content: "new" } },
    "is created": { name: "write", arguments: { path: "sub/b.txt", content: "new" } },
    "is edited": { name: "edit", arguments: { path: "a.txt", oldText: "old", newText: "new" } },
    "is patched": { name: "apply_patch", arguments: { input: PATCH } },
  };

  it.each(Object.entries(calls))(
    "%s when the beginning of the call is written",
    async (_, call) => {
      const { start, stateDir, root, readJournal } = createStateSetting();
      const { toolkit } = start();
      await write(toolkit, { id: "0", content: "old" });
      await write(toolkit, { id: "1", path: "other.txt", content: "other" });
      const other = new DatabaseSync(join(stateDir, "state.db"));
      other.exec("BEGIN IMMEDIATE");
      const calling = toolkit.invoke({ id: "2", ...call });
      for (let reads = 0; reads < 20; reads++) {
        await toolkit.invoke({ id: "r", name: "read", arguments: { path: "other.txt" } });
      }
      const isTemporary = (name: string) => name.endsWith(".clawtmp");
      const files = readdirSync(root).filter((name) => !isTemporary(name));
      expect(files.sort()).toEqual(["a.txt", "other.txt"]);
      expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old");
      other.exec("ROLLBACK");
      other.close();
      expect((await calling).isError).toBe(false);
      expect((await toolkit.changes()).map(({ toolCallId }) => toolCallId)).toEqual([
        "2",
        "1",
        "0",
      ]);
      expect((await readJournal())[0]).toMatchObject({ toolCallId: "2", end: { outcome: "ok" } });
    },
  );
});
