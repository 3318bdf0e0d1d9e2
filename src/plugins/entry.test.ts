// Which file a plugin starts with, on real folders.

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../../test/plugins/temp-folder.js";
import { findEntry } from "./entry.js";

const ORDER = ["index.ts", "index.js", "index.mts", "index.mjs", "src/index.ts", "src/index.js"];

function toPackage(...extensions: unknown[]): string {
  return JSON.stringify({ name: "sample", openclaw: { extensions } });
}

function find(folder: string, canLoadTypeScript = true): Promise<unknown> {
  return findEntry({ folder, canLoadTypeScript });
}

describe("findEntry", () => {
  it.each(ORDER.map((name, place) => [name, ORDER.slice(place)] as const))(
    "prefers %s to what comes after it",
    async (name, present) => {
      const folder = await createTempFolder(
        Object.fromEntries(present.map((file) => [file, "export {};"])),
      );
      expect(await find(folder)).toEqual({ file: join(folder, name), others: [] });
    },
  );

  it("prefers the first extension of package.json and names the others", async () => {
    const folder = await createTempFolder({
      "package.json": toPackage("./dist/main.js", "./dist/more.js"),
      "dist/main.js": "",
      "index.js": "",
    });
    expect(await find(folder)).toEqual({
      file: join(folder, "dist/main.js"),
      others: ["./dist/more.js"],
    });
  });

  it("uses the usual names when package.json names no extension", async () => {
    const folder = await createTempFolder({ "package.json": '{"name":"a"}', "index.mjs": "" });
    expect(await find(folder)).toMatchObject({ file: join(folder, "index.mjs") });
  });

  it("says what to add when there is no entry", async () => {
    const folder = await createTempFolder({ "index.mjs/not-a-file": "" });
    await expect(find(folder)).rejects.toMatchObject({
      problem: "entry_missing",
      message: expect.stringContaining("openclaw.extensions"),
    });
  });

  it("fails on an extension that is not there, although index.js is", async () => {
    const folder = await createTempFolder({
      "package.json": toPackage("./dist/gone.js"),
      "index.js": "",
    });
    await expect(find(folder)).rejects.toThrow('names the entry "./dist/gone.js"');
  });

  it.each([
    ["not JSON", "{"],
    ["a text for a list", '{"openclaw":{"extensions":"./a.js"}}'],
    ["a number in the list", '{"openclaw":{"extensions":[1]}}'],
    ["more than the limit", `{"a":"${"x".repeat(300_000)}"}`],
  ])("refuses a package.json with %s", async (_what, text) => {
    const folder = await createTempFolder({ "package.json": text, "index.js": "" });
    await expect(find(folder)).rejects.toMatchObject({ problem: "package_invalid" });
  });

  it.each(["../outside.mjs", "./link.mjs", "linked-folder/outside.mjs"])(
    "refuses the entry %s, which leads out of the folder",
    async (extension) => {
      const root = await createTempFolder({
        "outside.mjs": "",
        "plugin/package.json": toPackage(extension),
      });
      const folder = join(root, "plugin");
      await symlink(join(root, "outside.mjs"), join(folder, "link.mjs"));
      await symlink(root, join(folder, "linked-folder"));
      await expect(find(folder)).rejects.toMatchObject({
        problem: "entry_outside_folder",
        code: "denied",
      });
    },
  );

  it("refuses a linked index.mjs that leaves the folder", async () => {
    const root = await createTempFolder({ "outside.mjs": "", "plugin/readme.txt": "" });
    await symlink(join(root, "outside.mjs"), join(root, "plugin/index.mjs"));
    await expect(find(join(root, "plugin"))).rejects.toThrow("outside the plugin folder");
  });

  it("says which Node a TypeScript entry needs", async () => {
    const folder = await createTempFolder({ "index.ts": "export {};" });
    const named = await createTempFolder({ "package.json": toPackage("./a.mts"), "a.mts": "" });
    for (const plugin of [folder, named]) {
      await expect(find(plugin, false)).rejects.toMatchObject({
        problem: "entry_needs_newer_node",
        message: expect.stringContaining("needs Node 22.18 or later, or a built .js entry"),
      });
    }
  });

  it("takes the built file beside a TypeScript one that this Node cannot load", async () => {
    const folder = await createTempFolder({ "index.ts": "", "src/index.js": "" });
    expect(await find(folder, false)).toMatchObject({ file: join(folder, "src/index.js") });
  });
});
