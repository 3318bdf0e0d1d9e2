// Patches that make folders, on a real disk: a patch that fails leaves none, except those that were
// there before or that someone else has used. And moves of symlinks.

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
import { createNodeBridge, type FsBridge, ToolError } from "clawtools";
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
    ["whichever comes first", [ADD_BELOW, DELETE_A]],
    ["by a move to below itself", ["*** Update File: a\n*** Move to: a/b/c\n@@\n-old\n+new"]],
    [
      "by a move elsewhere",
      ["*** Update File: a\n*** Move to: kept/a", "*** Add File: a/b/c\n+new"],
    ],
  ])("needs two patches: %s", async (_, parts) => {
    const result = await apply(createNodeBridge(root), ...parts);
    expect(result.details).toMatchObject({ code: "invalid_input", reason: "is_directory" });
    expect(tree()).toEqual(BEFORE);
    await apply(createNodeBridge(root), DELETE_A);
    const second = await apply(createNodeBridge(root), ADD_BELOW);
    expect(second.isError, JSON.stringify(second.content)).toBeUndefined();
    expect(readFileSync(join(root, "a/b/c"), "utf8")).toBe("new\n");
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
    ["as it is", ""],
    ["with a change", "\n@@\n-old\n+new"],
  ])("that would lead elsewhere is refused, %s", async (_, hunk) => {
    const result = await apply(createNodeBridge(root), `${MOVE}${hunk}`);
    expect(result.details).toMatchObject({ code: "conflict", reason: "path_changed" });
    expect(lstatSync(join(root, "kept/link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, "kept/real"), "utf8")).toBe("old\n");
    expect(tree()).toEqual(["a", "kept/", "kept/link", "kept/real", "last"]);
  });

  it("that leads to the same file from there moves the link", async () => {
    const move = "*** Update File: kept/link\n*** Move to: kept/moved";
    await apply(createNodeBridge(root), move);
    expect(lstatSync(join(root, "kept/moved")).isSymbolicLink()).toBe(true);
    expect(tree()).toEqual(["a", "kept/", "kept/moved", "kept/real", "last"]);
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
