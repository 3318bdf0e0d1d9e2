// The page of apply_patch holds what it says: its patch gives its answer, its error is the real one,
// and its numbers are those of the code.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as limits from "../../src/tools/apply_patch/limits.js";
import { createPatchBench, runInput } from "./apply-patch-bench.js";

const page = readFileSync(join(import.meta.dirname, "../../docs/apply_patch.md"), "utf8");
const [patch = "", answer = "", refusal = ""] = [
  ...page.matchAll(/^```text\n([\s\S]*?)\n```$/gm),
].map(([, text]) => text ?? "");
const FILES = {
  "notes.txt": "first\nsecond\n",
  "old.txt": "old\n",
  "src/greet.py": 'def greet():\n    print("hi")\n',
};

describe("docs/apply_patch.md", () => {
  it("shows a patch and its real answer", async () => {
    const bench = createPatchBench(FILES);
    expect((await runInput(bench.bridge, patch)).text).toBe(answer);
    expect(bench.read()).toEqual({
      "docs/new.txt": "one line\n",
      "docs/notes.txt": "first\n2nd\n",
      "src/greet.py": 'def greet():\n    print("hello")\n',
    });
  });

  it("shows a real refusal", async () => {
    const wrong = patch.replace('print("hi")', 'print("hi!")').replace("@@ def greet():\n", "");
    const run = await runInput(createPatchBench(FILES).bridge, wrong);
    expect(run.details.error).toBe(refusal);
  });

  it.each(Object.entries(limits))("names %s", (_name, limit) => {
    expect(page).toMatch(new RegExp(`\\b${limit}\\b`));
  });
});
