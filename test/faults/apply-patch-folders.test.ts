// Patches that make folders, on a real disk: a file may become a folder, and of a patch that fails no
// folder is left, but for those that were there or that somebody else has used.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeBridge, createToolkit, type FsBridge, ToolError } from "clawtools";
import { createMemoryBridge } from "clawtools/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPatch } from "../../src/tools/apply_patch/index.js";
import { bindAlone } from "../fakes/resolve-tool.js";

let place: string;
let root: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "patch-folders-")));
  root = join(place, "root");
  mkdirSync(join(root, "kept"), { recursive: true });
  writeFileSync(join(root, "a"), "old\n");
  writeFileSync(join(root, "last"), "old\n");
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

const patchOf = (...parts: readonly string[]) =>
  ["*** Begin Patch", ...parts, "*** End Patch"].join("\n");
const DELETE_A = "*** Delete File: a";
const ADD_BELOW = "*** Add File: a/b/c\n+new";

/** Every name below the root; folders end with a slash. */
const tree = () =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => (statSync(join(root, name)).isDirectory() ? `${name}/` : name))
    .sort();
const BEFORE = ["a", "kept/", "last"];

/** The real bridge without its queue, whose writes to one name fail. */
function brokenAt(name: string, meanwhile: () => void = () => undefined): FsBridge {
  const { exclusive: _, ...bridge } = createNodeBridge(root);
  return {
    ...bridge,
    async writeFile(request) {
      if (request.filePath !== name) return bridge.writeFile(request);
      meanwhile();
      throw new ToolError("failed", "The disk is full.", { reason: "enospc" });
    },
  };
}

const apply = (bridge: FsBridge, ...parts: readonly string[]) =>
  bindAlone(applyPatch, { bridge, root }).execute("call", { input: patchOf(...parts) });

describe("a file that becomes a folder", () => {
  it.each([
    ["by a deletion and an addition below", [DELETE_A, ADD_BELOW]],
    ["whichever stands first", ["*** Add File: x\n+1", ADD_BELOW, "*** Delete File: x"]],
    ["by a move to below itself", ["*** Update File: a\n*** Move to: a/b/c\n@@\n-old\n+new"]],
    [
      "by a move elsewhere",
      ["*** Update File: a\n*** Move to: kept/a", "*** Add File: a/b/c\n+new"],
    ],
  ])("%s", async (title, parts) => {
    if (title.startsWith("whichever")) rmSync(join(root, "a"));
    const result = await apply(createNodeBridge(root), ...parts);
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    expect(readFileSync(join(root, "a/b/c"), "utf8")).toBe("new\n");
    expect(existsSync(join(root, "x"))).toBe(false);
  });

  it("works in memory too", async () => {
    const bridge = createMemoryBridge({ a: "old\n" }, { root });
    const result = await apply(bridge, DELETE_A, ADD_BELOW);
    expect(result.isError).toBeUndefined();
    expect(await bridge.stat({ filePath: "a" })).toMatchObject({ type: "directory" });
    expect(String(await bridge.readFile({ filePath: "a/b/c" }))).toBe("new\n");
  });

  it("is a file again when the patch fails", async () => {
    const broken = "*** Update File: last\n@@\n-old\n+new";
    const result = await apply(brokenAt("last"), DELETE_A, ADD_BELOW, broken);
    expect(result.details).toMatchObject({ reason: "enospc", rolledBack: true });
    expect(tree()).toEqual(BEFORE);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("old\n");
  });

  it("is a file again by undo, and a folder again by undo of that", async () => {
    const toolkit = createToolkit({ root, stateDir: join(place, "state") });
    try {
      const input = patchOf(DELETE_A, ADD_BELOW);
      const result = await toolkit.invoke({ id: "one", name: "apply_patch", arguments: { input } });
      expect(result.isError, JSON.stringify(result.content)).toBe(false);
      const { undoId } = await toolkit.undo("one");
      expect(readFileSync(join(root, "a"), "utf8")).toBe("old\n");
      await toolkit.undo(undoId);
      expect(readFileSync(join(root, "a/b/c"), "utf8")).toBe("new\n");
    } finally {
      await toolkit.close();
    }
  });
});

describe("folders of a patch that fails", () => {
  const broken = "*** Add File: one/two/broken\n+1";

  it("go when the file they were made for could not be written", async () => {
    const result = await apply(brokenAt("one/two/broken"), broken);
    expect(result.details).toMatchObject({ reason: "enospc" });
    expect(tree()).toEqual(BEFORE);
  });

  it("go when a later step fails, whichever step made them", async () => {
    const result = await apply(
      brokenAt("one/two/broken"),
      "*** Add File: one/x\n+1",
      "*** Add File: one/two/three/y\n+1",
      "*** Add File: kept/z\n+1",
      "*** Update File: a\n*** Move to: moved/deep/a",
      broken,
    );
    expect(result.details).toMatchObject({ reason: "enospc", rolledBack: true });
    expect(tree()).toEqual(BEFORE);
  });

  it("stay when somebody else has put something into them meanwhile", async () => {
    const bridge = brokenAt("one/two/broken", () => writeFileSync(join(root, "one/theirs"), "1"));
    await apply(bridge, "*** Add File: one/x\n+1", broken);
    expect(tree()).toEqual([...BEFORE, "one/", "one/theirs"]);
  });

  it("stay through a bridge that cannot remove folders", async () => {
    const { removeFolder: _, ...bridge } = brokenAt("one/two/broken");
    await apply(bridge, broken);
    expect(tree()).toEqual([...BEFORE, "one/", "one/two/"]);
  });
});

describe("a move of a link", () => {
  const MOVE = "*** Update File: kept/link\n*** Move to: moved";

  beforeEach(() => {
    writeFileSync(join(root, "kept/real"), "old\n");
    symlinkSync("real", join(root, "kept/link"));
  });

  it.each([
    ["as it is", "", "old\n"],
    ["with a change", "\n@@\n-old\n+new", "new\n"],
  ])("that would lead elsewhere puts a file there, %s", async (_, hunk, after) => {
    const result = await apply(createNodeBridge(root), `${MOVE}${hunk}`);
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    expect(lstatSync(join(root, "moved")).isFile()).toBe(true);
    expect(readFileSync(join(root, "moved"), "utf8")).toBe(after);
    expect(readFileSync(join(root, "kept/real"), "utf8")).toBe("old\n");
    expect(tree()).toEqual(["a", "kept/", "kept/real", "last", "moved"]);
  });

  it("that cannot be made leaves the link", async () => {
    const result = await apply(brokenAt("moved"), MOVE);
    expect(result.details).toMatchObject({ reason: "enospc" });
    expect(lstatSync(join(root, "kept/link")).isSymbolicLink()).toBe(true);
    expect(existsSync(join(root, "moved"))).toBe(false);
  });

  it("that is taken back later leaves the content where the link was", async () => {
    const broken = "*** Update File: last\n*** Move to: x/last\n@@\n-old\n+new";
    const result = await apply(brokenAt("x/last"), MOVE, broken);
    expect(result.details).toMatchObject({ reason: "enospc", rolledBack: true });
    expect(tree()).toEqual(["a", "kept/", "kept/link", "kept/real", "last"]);
    expect(readFileSync(join(root, "kept/link"), "utf8")).toBe("old\n");
  });
});

describe("removeFolder of the folder bridge", () => {
  it.each([
    ["kept", undefined],
    ["missing", "file_missing"],
    ["a", "not_directory"],
    [".", "path_invalid"],
    ["..", "path_outside_root"],
    ["full", "folder_not_empty"],
    [".git", "path_protected"],
    ["link", "not_directory"],
  ])("%s: %s", async (filePath, reason) => {
    mkdirSync(join(root, "full/x"), { recursive: true });
    mkdirSync(join(root, ".git"));
    mkdirSync(join(root, "behind"));
    symlinkSync("behind", join(root, "link"));
    const bridges = [createNodeBridge(root)];
    for (const bridge of bridges) {
      const outcome = await bridge.removeFolder({ filePath }).catch((error: unknown) => error);
      expect(outcome instanceof ToolError ? outcome.reason : outcome).toBe(reason);
    }
    expect(existsSync(join(root, "kept"))).toBe(filePath !== "kept");
    expect(existsSync(join(root, "behind"))).toBe(true);
  });
});
