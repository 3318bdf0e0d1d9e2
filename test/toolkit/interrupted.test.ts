// Calls whose process died: what the next program is told of them, and what is known once they are
// taken back.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Toolkit } from "clawtools";
import { describe, expect, it } from "vitest";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createStoreJournal } from "../../src/drivers/journal/index.js";
import { createProcessMarks, createSqliteStore } from "../../src/drivers/store/index.js";
import { createStateSetting, type StateSetting, write } from "./state-setting.js";

/** More than any system gives. */
const NO_PID = 999_999_999;

/** As if a process had been killed in the middle of calls. */
async function beginInDeadProcess(
  { root, stateDir }: StateSetting,
  calls: readonly { readonly toolCallId: string; readonly toolName?: string }[],
): Promise<void> {
  const ports = { clock: createSystemClock(), random: createSystemRandom() };
  const store = createSqliteStore({ folder: stateDir, ...ports });
  const { own, isDead } = createProcessMarks();
  const owner = { own: own.replace(/^\d+/, `${NO_PID}`), isDead };
  const report = ({ cause }: { cause: unknown }) => {
    throw cause;
  };
  const journal = createStoreJournal({ store, ...ports, owner, root, report });
  for (const { toolCallId, toolName = "write" } of calls) {
    const names = { toolCallId, toolName, sessionKey: undefined, argumentsText: "{}" };
    await journal.intend({ ...names, atMs: Date.now() });
  }
  await store.close();
}

const noticesOf = async (setting: StateSetting): Promise<[Toolkit, string[]]> => {
  const { toolkit, notices } = setting.start();
  await toolkit.interrupted();
  return [toolkit, notices];
};

describe("the notice of an interrupted call", () => {
  it("names diff and undo where the call left a record", async () => {
    const setting = createStateSetting();
    writeFileSync(join(setting.root, "a.txt"), "old");
    const live = setting.start().toolkit;
    await live.interrupted();
    await beginInDeadProcess(setting, [{ toolCallId: "lost" }]);
    await write(live, { id: "lost", content: "half" });
    const [, notices] = await noticesOf(setting);
    expect(notices).toEqual([
      expect.stringMatching(
        /^Call "lost" of write, .* unknown\. `diff lost` shows what it changed, `undo lost` takes it back\.$/,
      ),
    ]);
  });

  it("names neither where nothing was recorded, and undo for an undo", async () => {
    const setting = createStateSetting();
    await beginInDeadProcess(setting, [
      { toolCallId: "idle" },
      { toolCallId: "c1", toolName: "undo" },
    ]);
    const [, notices] = await noticesOf(setting);
    expect(notices).toEqual([
      expect.stringMatching(/"idle" of write.*Look at what it may have changed\.$/),
      expect.stringMatching(/^The undo of call "c1".*`undo c1` goes on where it ended\.$/),
    ]);
  });
});

describe("toolkit.interrupted", () => {
  it("marks a call that was undone since, and has no empty field", async () => {
    const setting = createStateSetting();
    writeFileSync(join(setting.root, "a.txt"), "old");
    const live = setting.start().toolkit;
    await live.interrupted();
    await beginInDeadProcess(setting, [{ toolCallId: "lost" }]);
    await write(live, { id: "lost", content: "half" });
    const [toolkit] = await noticesOf(setting);
    const row = {
      toolCallId: "lost",
      toolName: "write",
      argumentsText: "{}",
      atMs: expect.any(Number),
      interruptedAtMs: expect.any(Number),
    };
    expect(await toolkit.interrupted()).toStrictEqual([row]);
    const { undoId } = await toolkit.undo("lost");
    expect(readFileSync(join(setting.root, "a.txt"), "utf8")).toBe("old");
    expect(await toolkit.interrupted()).toStrictEqual([{ ...row, undoneBy: undoId }]);
  });
});
