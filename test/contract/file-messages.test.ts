// What the changing file tools say of a path that leads nowhere, or that is protected: they name what
// is near, and the path that the caller gave. And by which names they take it.

import { createMemoryBridge } from "clawtools/testing";
import { describe, expect, it } from "vitest";
import { applyPatch } from "../../src/tools/apply_patch/index.js";
import { edit } from "../../src/tools/edit/index.js";
import { write } from "../../src/tools/write/index.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const ROOT = "/project";
const FILES = {
  "components/Button.tsx": "one\n",
  "components/Input.tsx": "two\n",
  "texts/re\u0301sume\u0301.md": "three\n",
};
const patch = (body: string) => `*** Begin Patch\n${body}\n*** End Patch`;

/** What changes a file that is there, by its path. */
const CHANGES = {
  edit: (path: string) => [edit, { path, oldText: "one", newText: "1" }],
  "an update by apply_patch": (path: string) => [
    applyPatch,
    { input: patch(`*** Update File: ${path}\n@@\n-one\n+1`) },
  ],
  "a move by apply_patch": (path: string) => [
    applyPatch,
    { input: patch(`*** Update File: ${path}\n*** Move to: moved.tsx`) },
  ],
  "a deletion by apply_patch": (path: string) => [
    applyPatch,
    { input: patch(`*** Delete File: ${path}`) },
  ],
} as const satisfies Record<
  string,
  (path: string) => readonly [typeof edit | typeof applyPatch, Record<string, unknown>]
>;

describe.each(Object.entries(CHANGES))("%s", (_name, toCall) => {
  async function change(path: string) {
    const bridge = createMemoryBridge(FILES, { root: ROOT });
    const [tool, params] = toCall(path);
    const { details } = await bindAlone(tool, { bridge, root: ROOT }).execute("call", params);
    const texts = Object.keys(FILES).map((filePath) => bridge.readFile({ filePath }));
    expect((await Promise.all(texts)).map(String)).toEqual(Object.values(FILES));
    return details as { error: string; reason: string };
  }

  it.each([
    ["components/button.tsx", '. Did you mean "components/Button.tsx"?'],
    ["components/Buton.tsx", '. Did you mean "components/Button.tsx"?'],
    [
      "component/Button.tsx",
      ': folder "component" does not exist; the deepest existing folder is the root. Did you mean "components/Button.tsx"?',
    ],
    ["texts/r\u00E9sum\u00E9.md", '. Did you mean "texts/re\\u0301sume\\u0301.md"?'],
    ["components/unlike.md", "; check the path."],
  ])("of %s suggests near names, and changes none of them", async (path, hint) => {
    const { error, reason } = await change(path);
    expect(reason).toBe("file_missing");
    expect(error).toBe(`"${path}" does not exist${hint}`);
  });
});

describe("a protected folder", () => {
  it.each([
    ["write", write, { path: ".git/hooks/pre-commit", content: "x" }],
    ["apply_patch", applyPatch, { input: patch("*** Add File: .git/hooks/pre-commit\n+x") }],
  ])("is told with the path that %s was given", async (_name, tool, params) => {
    const bridge = createMemoryBridge({}, { root: ROOT });
    const { details } = await bindAlone(tool, { bridge, root: ROOT }).execute("call", params);
    expect(details).toMatchObject({
      reason: "path_protected",
      protected: ".git",
      error: expect.stringMatching(
        /^"\.git\/hooks\/pre-commit" is not changed: ".git" is protected/,
      ),
    });
  });
});

describe("other spellings of parameters", () => {
  it.each([
    ["write", write, { filename: "n", contents: "x\n" }],
    ["write", write, { target_file: "n", file_text: "x\n" }],
    ["apply_patch", applyPatch, { patchText: patch("*** Add File: n\n+x") }],
    ["apply_patch", applyPatch, { diff: patch("*** Add File: n\n+x") }],
  ])("are understood by %s", async (_name, tool, params) => {
    const bridge = createMemoryBridge({}, { root: ROOT });
    await bindAlone(tool, { bridge, root: ROOT }).execute("call", params);
    expect(String(await bridge.readFile({ filePath: "n" }))).toBe("x\n");
  });
});
