// Every example runs as it is printed and shows what its head comment promises.
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { PROJECT_DIR, runNode } from "../fakes/run-node.js";

/** What each example prints; an example without a row fails below. */
const PROMISES: Readonly<Record<string, readonly string[]>> = {
  "add-a-tool.mjs": [
    "4 words",
    'did you mean \\\\"text\\\\"?',
    "id: 'count_words'",
    "code: 'ready'",
    "id: 'read'",
    "code: 'missing_context'",
    "missing: bridge",
  ],
  "read-a-file.mjs": ['"name": "clawtools"', '"version":'],
  "toolkit.mjs": [
    "[ 'read', 'exec', 'process', 'deploy' ]",
    "- deploy: Deploy the project.",
    "audit: read answer ok",
    "deployed to test",
    "audit: deploy before stopped not_approved",
    "nobody deploys on Fridays",
    "audit: write find stopped tool_denied",
    'denied by tools.deny[0] "write" {"tools":{"deny":["edit"]}}',
  ],
};

const EXAMPLES = readdirSync(join(PROJECT_DIR, "examples")).filter((name) => name.endsWith(".mjs"));

describe("examples", () => {
  it("each have a row of promises here, and no row is without its example", () => {
    expect(Object.keys(PROMISES).sort()).toEqual([...EXAMPLES].sort());
  });

  it("are among the files whose types are checked", () => {
    const { config } = ts.readConfigFile(join(PROJECT_DIR, "tsconfig.json"), ts.sys.readFile);
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, PROJECT_DIR);
    const checked = fileNames.map((file) => relative(PROJECT_DIR, file));
    expect(checked).toEqual(expect.arrayContaining(EXAMPLES.map((name) => `examples/${name}`)));
    expect(options).toMatchObject({ allowJs: true, checkJs: true, strict: true });
  });

  it.each(EXAMPLES)("%s runs and prints what it promises", async (name) => {
    const run = await runNode([join("examples", name)]);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    for (const promise of PROMISES[name] ?? []) expect(run.stdout).toContain(promise);
  });
});
