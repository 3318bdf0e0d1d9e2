// The diff of a call: from the old content to what the call left, also when files changed since.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHistorySetting, type HistorySetting } from "../../../test/fakes/history-setting.js";

let setting: HistorySetting;

beforeEach(() => {
  setting = createHistorySetting();
  mkdirSync(setting.root, { recursive: true });
});
afterEach(() => setting.remove());

const put = (path: string, data: string | Buffer) => writeFileSync(join(setting.root, path), data);
const diff = (toolCallId: string, maxChars?: number) =>
  setting.history.diff({ toolCallId, bridge: setting.bridge, maxChars });
const write = (id: string, data: string) =>
  setting.change(id, (bridge) => bridge.writeFile({ filePath: "a.txt", data }));

describe("the diff of a call", () => {
  it("shows changed, new and removed files as one unified diff", async () => {
    put("a.txt", "one\ntwo\n");
    put("gone.txt", "bye\n");
    await setting.change("c1", async (bridge) => {
      await bridge.writeFile({ filePath: "a.txt", data: "one\n2\n" });
      await bridge.writeFile({ filePath: "new.txt", data: "hi\n" });
      await bridge.remove?.({ filePath: "gone.txt" });
    });
    const { text, files, toolName } = await diff("c1");
    expect(toolName).toBe("test");
    expect(files.map(({ path, change, against }) => [path, change, against])).toEqual([
      ["a.txt", "modified", "call"],
      ["new.txt", "created", "call"],
      ["gone.txt", "removed", "call"],
    ]);
    expect(text).toBe(
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" +
        "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+hi\n" +
        "--- a/gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-bye\n",
    );
  });

  it("shows what the call left when a later call changed the file in turn", async () => {
    put("a.txt", "one\n");
    await write("c1", "two\n");
    await write("c2", "three\n");
    expect((await diff("c1")).files[0]).toMatchObject({
      against: "call",
      diff: "@@ -1,1 +1,1 @@\n-one\n+two\n",
    });
  });

  it("says that it shows what is there now when what the call left is not kept", async () => {
    put("a.txt", "one\n");
    await write("c1", "two\n");
    put("a.txt", "by hand\n");
    const { files, text } = await diff("c1");
    expect(files[0]).toMatchObject({ against: "now", diff: "@@ -1,1 +1,1 @@\n-one\n+by hand\n" });
    expect(text).toContain("+++ b/a.txt\t(as it is now; changed since the call)");
  });

  it("names binary content instead of showing it", async () => {
    put("a.txt", Buffer.from([0, 1, 2]));
    await write("c1", "text");
    expect((await diff("c1")).files).toEqual([
      { path: "a.txt", change: "modified", against: "call", omitted: "binary" },
    ]);
  });

  it("stays within its limit", async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join("");
    await write("c1", lines);
    const { text } = await diff("c1", 1_000);
    expect(text.length).toBeLessThan(1_200);
    expect(text).toMatch(/\\ \d+ more lines\n$/);
  });

  it("has no control characters of a path in its text", async () => {
    await setting.change("c1", (bridge) => bridge.writeFile({ filePath: "a\nb", data: "x\n" }));
    expect((await diff("c1")).text).toContain("+++ b/a\\u{000A}b\n");
  });
});
