// The section `undo` of the config, through the front door: off, required, and its two limits.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createToolkit } from "clawtools";
import { describe, expect, it, vi } from "vitest";
import { undo as section } from "../../src/config/sections/calls.js";
import { DEFAULT_LIMITS } from "../../src/drivers/history/errors.js";
import { createStateSetting, write } from "./state-setting.js";

const KIBIBYTE = 1024;

describe("undo.enabled: false", () => {
  it("records nothing, and undo, diff and changes name the key", async () => {
    const { start, stateDir, root, readJournal } = createStateSetting();
    const { toolkit, notices } = start({ config: { undo: { enabled: false } } });
    const answer = await write(toolkit, { id: "1", content: "new" });
    expect(answer.details).not.toHaveProperty("undo");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("new");
    expect(existsSync(join(stateDir, "undo"))).toBe(false);
    const questions = [toolkit.undo("1"), toolkit.diff("1"), toolkit.changes()];
    for (const question of questions) {
      await expect(question).rejects.toMatchObject({
        code: "unavailable",
        reason: "undo_disabled",
        message: expect.stringContaining("undo.enabled"),
      });
    }
    expect(notices).toEqual([]);
    expect(await readJournal()).toHaveLength(1);
    expect(await toolkit.interrupted()).toEqual([]);
  });

  it("leaves earlier records for a toolkit that has undo", async () => {
    const { start, root } = createStateSetting();
    const before = start().toolkit;
    await write(before, { id: "1", content: "new" });
    const without = start({ config: { undo: { enabled: false } } }).toolkit;
    await expect(without.undo("1")).rejects.toMatchObject({ reason: "undo_disabled" });
    await before.undo("1");
    expect(existsSync(join(root, "a.txt"))).toBe(false);
  });

  it("cannot stand beside required: true", () => {
    const config = { undo: { enabled: false, required: true } };
    expect(() => createToolkit({ root: "/project", config })).toThrow(/undo\.required/);
  });
});

describe("undo.required: true", () => {
  const config = { undo: { required: true, maxBytes: KIBIBYTE } };

  it("refuses a change whose old content cannot be kept, and makes all others", async () => {
    const { start, root } = createStateSetting();
    const { toolkit } = start({ config });
    writeFileSync(join(root, "a.txt"), "x".repeat(KIBIBYTE + 1));
    const refused = await write(toolkit, { id: "1", content: "new" });
    expect(refused).toMatchObject({
      isError: true,
      details: { code: "limit", reason: "undo_required" },
    });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toHaveLength(KIBIBYTE + 1);
    writeFileSync(join(root, "b.txt"), "old");
    expect((await write(toolkit, { id: "2", path: "b.txt", content: "b" })).isError).toBe(false);
    await toolkit.undo("2");
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("old");
  });

  it("refuses every change while no state can be kept, and no reading", async () => {
    const { start, root, stateDir } = createStateSetting();
    writeFileSync(stateDir, "a file");
    writeFileSync(join(root, "a.txt"), "old");
    const { toolkit, notices } = start({ config });
    for (const id of ["1", "2"]) {
      const answer = await write(toolkit, { id, content: "new" });
      expect(answer).toMatchObject({ isError: true, details: { reason: "undo_required" } });
    }
    const read = await toolkit.invoke({ id: "3", name: "read", arguments: { path: "a.txt" } });
    expect(read.isError).toBe(false);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old");
    expect(notices).toHaveLength(1);
    rmSync(stateDir);
    mkdirSync(stateDir);
    expect((await write(toolkit, { id: "4", content: "new" })).isError).toBe(false);
  });

  it("makes no toolkit for a user without a place for state", () => {
    vi.stubEnv("CLAWTOOLS_STATE_DIR", "");
    vi.stubEnv("HOME", "");
    try {
      expect(() => createToolkit({ root: "/project", config })).toThrow(/Set stateDir/);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("the limits of undo", () => {
  it("are by default those of the history", () => {
    const { maxBytes, maxAgeHours } = section().properties;
    expect(maxBytes).toMatchObject({ default: DEFAULT_LIMITS.maxTotalBytes });
    expect(maxAgeHours).toMatchObject({ default: DEFAULT_LIMITS.maxAgeMs / (60 * 60_000) });
  });

  it("keep no file that is larger than undo.maxBytes, and the call runs", async () => {
    const { start, root } = createStateSetting();
    const { toolkit, notices } = start({ config: { undo: { maxBytes: KIBIBYTE } } });
    writeFileSync(join(root, "a.txt"), "x".repeat(KIBIBYTE + 1));
    const answer = await write(toolkit, { id: "1", content: "new" });
    expect(answer).toMatchObject({ isError: false, details: { undo: { available: false } } });
    expect(notices).toEqual([expect.stringContaining("larger than what is kept")]);
    await expect(toolkit.undo("1")).rejects.toMatchObject({ reason: "undo_not_kept" });
  });

  it("end the time of a call after undo.maxAgeHours", async () => {
    const { start } = createStateSetting();
    const { toolkit } = start({ config: { undo: { maxAgeHours: 1 } } });
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      await write(toolkit, { id: "1", content: "new" });
      vi.setSystemTime(Date.now() + 59 * 60_000);
      expect(await toolkit.changes()).toHaveLength(1);
      vi.setSystemTime(Date.now() + 2 * 60_000);
      expect(await toolkit.changes()).toEqual([]);
      await expect(toolkit.undo("1")).rejects.toMatchObject({ reason: "undo_expired" });
    } finally {
      vi.useRealTimers();
    }
  });
});
