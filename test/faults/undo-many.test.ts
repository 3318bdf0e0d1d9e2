// Undo with a thousand calls, and with two stores open on one state folder.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FsBridge } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemoryBridge, MEMORY_ROOT } from "../fakes/memory-bridge.js";
import { openUndoHistory } from "./undo-history.js";

const CALLS = 1_000;
const OPEN_AT_ONCE = 50;
const PAIRS = 40;

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "undo-many-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const open = () =>
  openUndoHistory({
    root: MEMORY_ROOT,
    state,
    hex: (count) => randomBytes(count).toString("hex"),
  });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const read = async (bridge: FsBridge, filePath: string) =>
  String(await bridge.readFile({ filePath }));

describe("undo of many calls", () => {
  it("finds each of a thousand by its id, and lists the latest first", async () => {
    const files = Object.fromEntries(numbers(CALLS).map((index) => [`${index}`, `old ${index}`]));
    const bridge = createMemoryBridge(files);
    const { history, close } = open();
    const change = (index: number) =>
      history
        .record({ toolCallId: `c${index}`, toolName: "test" }, bridge)
        .bridge.writeFile({ filePath: `${index}`, data: "new" });
    for (let start = 0; start < CALLS; start += OPEN_AT_ONCE) {
      await Promise.all(numbers(OPEN_AT_ONCE).map((offset) => change(start + offset)));
    }
    expect(await history.list(CALLS)).toHaveLength(CALLS);
    for (const index of [0, 1, 499, 998, 999]) {
      await history.undo({ toolCallId: `c${index}`, bridge });
      expect(await read(bridge, `${index}`)).toBe(`old ${index}`);
    }
    expect(await read(bridge, "500")).toBe("new");
    await close();
  });

  it("puts the old bytes back when two stores on one folder try at the same time", async () => {
    const bridge = createMemoryBridge(
      Object.fromEntries(numbers(PAIRS).map((index) => [`${index}`, `old ${index}`])),
    );
    const [one, two] = [open(), open()];
    for (const index of numbers(PAIRS)) {
      const call = { toolCallId: `c${index}`, toolName: "test" };
      const { history } = index % 2 === 0 ? one : two;
      await history
        .record(call, bridge)
        .bridge.writeFile({ filePath: `${index}`, data: `new ${index}` });
    }
    for (const index of numbers(PAIRS)) {
      const toolCallId = `c${index}`;
      const tries = await Promise.allSettled(
        [one, two].map(({ history }) => history.undo({ toolCallId, bridge })),
      );
      expect(tries.some(({ status }) => status === "fulfilled")).toBe(true);
      expect(await read(bridge, `${index}`)).toBe(`old ${index}`);
    }
    for (const { close } of [one, two]) await close();
  });
});
