// The limit on all old content: what goes, what stays, and what lies on the disk afterwards.

import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createHistorySetting, type HistorySetting } from "../../../test/fakes/history-setting.js";
import { CALLS_SPACE } from "./records/change-log.js";
import { parseCall } from "./records/rows.js";

const BYTES = 1_000;
const CALLS = 30;
const MAX_TOTAL_BYTES = 10 * BYTES;

describe("the limit on all old content", () => {
  let setting: HistorySetting;
  afterEach(() => setting.remove());

  function start(options: Parameters<typeof createHistorySetting>[0] = {}): void {
    setting = createHistorySetting(options);
    mkdirSync(setting.root, { recursive: true });
  }

  const content = (index: number) => `${index}`.padEnd(BYTES, ".");

  async function writeMany(from: number, to: number): Promise<void> {
    for (let index = from; index < to; index++) {
      await setting.change(`call ${index}`, (bridge) =>
        bridge.writeFile({ filePath: "a.txt", data: content(index) }),
      );
    }
  }

  const bytesOnDisk = () =>
    readdirSync(setting.objects)
      .map((name) => statSync(join(setting.objects, name)).size)
      .reduce((sum, size) => sum + size, 0);

  it("drops the oldest calls until the rest fits, and keeps the newest", async () => {
    start({ limits: { maxTotalBytes: MAX_TOTAL_BYTES } });
    await writeMany(0, CALLS);
    await setting.history.close();
    await setting.history.prune();
    const calls = await setting.history.list(CALLS);
    expect(calls.map(({ toolCallId }) => toolCallId)).toEqual(
      Array.from({ length: 10 }, (_, back) => `call ${CALLS - 1 - back}`),
    );
    await setting.history.undo({ toolCallId: `call ${CALLS - 1}`, bridge: setting.bridge });
    expect(setting.text("a.txt")).toBe(content(CALLS - 2));
  });

  it("holds for the disk as well, at once", async () => {
    start({ limits: { maxTotalBytes: MAX_TOTAL_BYTES } });
    await writeMany(0, CALLS);
    await setting.history.close();
    expect(bytesOnDisk()).toBeLessThanOrEqual(MAX_TOTAL_BYTES + (MAX_TOTAL_BYTES / 8) * 2);
    expect(await setting.history.prune()).toBeLessThanOrEqual(MAX_TOTAL_BYTES);
    expect(bytesOnDisk()).toBeLessThanOrEqual(MAX_TOTAL_BYTES);
  });

  it("takes no call for content that belongs to none", async () => {
    start();
    await writeMany(0, CALLS);
    const { entries } = await setting.store.kv.list({ space: CALLS_SPACE, limit: CALLS });
    // The newest come first.
    for (const { key, value } of entries.slice(5)) {
      const withoutContent = { ...parseCall(value) };
      await setting.store.kv.put({ space: CALLS_SPACE, key, value: withoutContent });
    }
    setting.advance(60_000);
    const later = setting.reopen({ limits: { maxTotalBytes: MAX_TOTAL_BYTES } });
    expect(await later.prune()).toBeLessThanOrEqual(MAX_TOTAL_BYTES);
    expect(await later.list(CALLS)).toHaveLength(CALLS);
    await later.undo({ toolCallId: `call ${CALLS - 1}`, bridge: setting.bridge });
    expect(setting.text("a.txt")).toBe(content(CALLS - 2));
  });

  it("leaves content that a call puts away while others clear", async () => {
    start();
    const other = setting.reopen({ limits: { maxTotalBytes: 4 * BYTES } });
    let isOver = false;
    const clearing = (async () => {
      while (!isOver) await other.prune();
    })();
    const place = join(setting.root, "a.txt");
    for (let index = 0; index < CALLS; index++) {
      writeFileSync(place, content(index));
      await setting.change(`call ${index}`, (bridge) =>
        bridge.writeFile({ filePath: "a.txt", data: "new" }),
      );
      await setting.history.undo({ toolCallId: `call ${index}`, bridge: setting.bridge });
      expect(setting.text("a.txt")).toBe(content(index));
    }
    isOver = true;
    await clearing;
  });
});
