// One sync for all who wait.

import { describe, expect, it } from "vitest";
import { createGroupSync } from "./writer.js";

/** A sync that ends when it is told to. */
function createManualSync() {
  const running: { end: () => void; fail: (error: Error) => void }[] = [];
  const sync = () =>
    new Promise<void>((resolve, reject) => {
      running.push({ end: resolve, fail: reject });
    });
  return { sync, running };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a group sync", () => {
  it("begins at once, and serves all who ask meanwhile with one more", async () => {
    const { sync, running } = createManualSync();
    const groupSync = createGroupSync(sync);
    const waiting = [groupSync(), groupSync(), groupSync(), groupSync()];
    expect(running).toHaveLength(1);
    running[0]?.end();
    await turn();
    expect(running).toHaveLength(2);
    running[1]?.end();
    await Promise.all(waiting);
    expect(running).toHaveLength(2);
  });

  it("serves who asks during a sync with the next, not with that one", async () => {
    const { sync, running } = createManualSync();
    const groupSync = createGroupSync(sync);
    const first = groupSync();
    await turn();
    let isServed = false;
    const late = [groupSync(), groupSync()];
    const noted = late[0]?.then(() => {
      isServed = true;
    });
    running[0]?.end();
    await first;
    await turn();
    expect(isServed).toBe(false);
    expect(running).toHaveLength(2);
    running[1]?.end();
    await Promise.all([...late, noted]);
    expect(isServed).toBe(true);
  });

  it("tells of a failure those who waited for it, and goes on", async () => {
    const { sync, running } = createManualSync();
    const groupSync = createGroupSync(sync);
    const first = groupSync();
    await turn();
    const second = groupSync();
    running[0]?.fail(new Error("the disk"));
    await expect(first).rejects.toThrow("the disk");
    await turn();
    running[1]?.end();
    await second;
  });
});
