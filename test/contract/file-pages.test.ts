// The page of each file tool has a call that runs as it stands, and shows what it really prints.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_DIR, runNode } from "../fakes/run-node.js";

/** The first program of a page, and the block behind it. */
const SAMPLE = /^```js\n([\s\S]*?)^```\n\n```\n([\s\S]*?)^```$/m;

describe.each(["read", "write", "edit", "apply_patch"])("docs/%s.md", (tool) => {
  it("has a call of the tool that can be run, and its real output", async () => {
    const page = readFileSync(join(PROJECT_DIR, "docs", `${tool}.md`), "utf8");
    const [, program = "", output] = SAMPLE.exec(page) ?? [];
    expect(program).toContain(`resolve("${tool}"`);
    const run = await runNode(["--input-type=module", "--eval", program]);
    expect(run).toEqual({ exitCode: 0, stderr: "", stdout: output });
  });
});
