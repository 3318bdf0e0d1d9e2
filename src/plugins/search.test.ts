// From search paths to plugin folders.

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../../test/plugins/temp-folder.js";
import { expandPath, findPluginFolders } from "./search.js";

describe("expandPath", () => {
  it.each([
    ["~", "/home/ada"],
    ["~/plugins", "/home/ada/plugins"],
    ["plugins", "/base/plugins"],
    ["./plugins/../more", "/base/more"],
    ["/opt/plugins", "/opt/plugins"],
    ["~ada/plugins", "/base/~ada/plugins"],
  ])("turns %s into %s", (path, expanded) => {
    expect(expandPath(path, { baseDir: "/base", homeDir: "/home/ada" })).toBe(expanded);
  });

  it("asks for homeDir when no home is known", () => {
    expect(() => expandPath("~/x", { baseDir: "/base", homeDir: undefined })).toThrow("homeDir");
  });
});

describe("findPluginFolders", () => {
  it("finds folders with a manifest, by name, and passes over the rest", async () => {
    const folder = await createTempFolder({
      "b/openclaw.plugin.json": "{}",
      "a/openclaw.plugin.json": "{}",
      "node_modules/readme.txt": "",
      "openclaw.txt": "",
    });
    expect(await findPluginFolders(folder)).toEqual([join(folder, "a"), join(folder, "b")]);
  });

  it("takes a search path that is a plugin folder itself", async () => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": "{}",
      "inner/openclaw.plugin.json": "{}",
    });
    expect(await findPluginFolders(folder)).toEqual([folder]);
  });

  it("follows a linked plugin folder, and lists one whose manifest is a broken link", async () => {
    const folder = await createTempFolder({
      "real/one/openclaw.plugin.json": "{}",
      "search/broken/readme.txt": "",
    });
    await symlink(join(folder, "real/one"), join(folder, "search/linked"));
    await symlink("gone.json", join(folder, "search/broken/openclaw.plugin.json"));
    expect(await findPluginFolders(join(folder, "search"))).toEqual([
      join(folder, "search/broken"),
      join(folder, "search/linked"),
    ]);
  });

  it("says that a search path is missing or no folder", async () => {
    const folder = await createTempFolder({ "file.txt": "" });
    await expect(findPluginFolders(join(folder, "gone"))).rejects.toThrow("does not exist");
    await expect(findPluginFolders(join(folder, "file.txt"))).rejects.toThrow("is not a folder");
  });
});
