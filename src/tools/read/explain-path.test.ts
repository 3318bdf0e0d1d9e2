// What `read` says of names that are not there, and when it opens a like name.

import { describe, expect, it } from "vitest";
import { createOpeningBridge, READ_ROOT } from "../../../test/contract/read-bridges.js";
import { createMemoryBridge } from "../../../test/fakes/memory-bridge.js";
import { bindAlone } from "../../../test/fakes/resolve-tool.js";
import type { FsBridge } from "../../core/index.js";
import { read } from "./index.js";

function bridgeOf(...names: string[]): FsBridge {
  return createOpeningBridge(
    Object.fromEntries(names.map((name) => [name, Buffer.from(`this is ${name}\n`)])),
  );
}

async function readPath(bridge: FsBridge, path: string) {
  const tool = bindAlone(read, { bridge, root: READ_ROOT });
  const { content, details } = await tool.execute("call", { path });
  const text = content[0]?.type === "text" ? content[0].text : "";
  const error = text.startsWith("{") ? String(JSON.parse(text).error) : "";
  return { text, error, details };
}

describe("read of a name that is not there", () => {
  it.each([
    ["readme.txt", ["readmee.txt"], 'Did you mean "readmee.txt"?'],
    ["src/indx.ts", ["src/index.ts", "src/other.ts"], 'Did you mean "src/index.ts"?'],
    ["config", ["config.json", "unlike"], 'Did you mean "config.json"?'],
    ["dri.md", ["dir.md", "unlike"], 'Did you mean "dir.md"?'],
    ["a1.md", ["a2.md", "a3.md", "a4.md", "a5.md"], 'Did you mean "a2.md" or "a3.md" or "a4.md"?'],
  ])("suggests names near %s", async (path, names, hint) => {
    const { error, details } = await readPath(bridgeOf(...names), path);
    expect(error).toBe(`"${path}" does not exist. ${hint}`);
    expect(details).toMatchObject({ code: "not_found", reason: "file_missing" });
  });

  it.each([
    ["entirely-different.txt", ["a.md"]],
    ["a.md/", ["b.md"]],
    [`${"n".repeat(200)}`, [`${"n".repeat(199)}m`]],
  ])("suggests nothing for %s", async (path, names) => {
    const { error } = await readPath(bridgeOf(...names), path);
    expect(error).toBe(`"${path}" does not exist; check the path.`);
  });

  it.each([
    [
      "a/b/c.md",
      ["other.md"],
      ': folder "a" does not exist; the deepest existing folder is the root.',
    ],
    [
      "src/two/b/c.md",
      ["src/one/a.md"],
      ': folder "src/two" does not exist; the deepest existing folder is "src".',
    ],
    [
      "lbi/a.ts",
      ["lib/a.ts"],
      ': folder "lbi" does not exist; the deepest existing folder is the root. Did you mean "lib/a.ts"?',
    ],
    [
      "source/lib/b.ts",
      ["sources/a.ts"],
      ': folder "source" does not exist; the deepest existing folder is the root. Did you mean "sources"?',
    ],
    [
      "src/componets/Button.tsx",
      ["src/components/Button.tsx", "src/component/x", "src/componet.ts"],
      ': folder "src/componets" does not exist; the deepest existing folder is "src". Did you mean "src/components/Button.tsx"?',
    ],
    [
      `${READ_ROOT}/srcc/a.ts`,
      ["src/a.ts"],
      `: folder "${READ_ROOT}/srcc" does not exist; the deepest existing folder is "${READ_ROOT}". Did you mean "${READ_ROOT}/src/a.ts"?`,
    ],
  ])("names the deepest folder that is there, and near ones, for %s", async (path, names, hint) => {
    const { error, details } = await readPath(bridgeOf(...names), path);
    expect(error).toBe(`"${path}" does not exist${hint}`);
    expect(details).toMatchObject({ code: "not_found", reason: "file_missing" });
  });

  it.each([
    ["in case", "README.md", "Readme.md"],
    ["in Unicode form", "re\u0301sume\u0301.txt", "r\u00E9sum\u00E9.txt"],
    ["in spaces", "Screenshot 3.14\u202FPM.txt", "Screenshot 3.14 PM.txt"],
    ["in quotation marks", "it\u2019s.txt", "it's.txt"],
    ["in dashes", "a\u2013b.txt", "a-b.txt"],
  ])("opens the one file whose name differs only %s, and says so", async (_what, there, asked) => {
    const { text, details } = await readPath(bridgeOf(`d/${there}`, "d/other"), `d/${asked}`);
    expect(text).toBe(
      `this is d/${there}\n\n\n[Opened "d/${there}": "d/${asked}" does not exist.]`,
    );
    expect(details).toMatchObject({ path: `d/${there}`, requestedPath: `d/${asked}` });
  });

  it("asks which one when several look the same", async () => {
    const { error, details } = await readPath(bridgeOf("A.md", "a\u200A.md", "a.MD"), "a.md");
    expect(error).toBe(
      '"a.md" does not exist, and more than one name looks like it: "A.md", "a.MD". Name one of them.',
    );
    expect(details).toMatchObject({ code: "invalid_input", reason: "path_ambiguous" });
    const spaces = await readPath(bridgeOf("a\u00A0b", "a\u3000b"), "a b");
    expect(spaces.error).toContain('"a\\u00a0b", "a\\u3000b"');
  });

  it("does not take a folder for a file of a like name", async () => {
    const { error } = await readPath(bridgeOf("Docs/a", "docs2/a"), "docs");
    expect(error).toBe('"docs" does not exist. Did you mean "Docs" or "docs2"?');
  });

  it("gives the plain answer when the bridge cannot list", async () => {
    const { error } = await readPath(createMemoryBridge({ "A.md": "x" }), "a.md");
    expect(error).toBe('"a.md" does not exist; check the path.');
  });
});
