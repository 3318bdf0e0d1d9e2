// Where the code of this library is found, in trees as package managers make them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { findOwnCode } from "./protection.js";

function createTree(files: Readonly<Record<string, unknown>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "own-code-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  return folder;
}

const below = (root: string, found: readonly string[]) =>
  found.map((path) => path.slice(root.length + 1)).sort();

const chunkOf = (folder: string) => pathToFileURL(join(folder, "dist/chunks/one.js")).href;

describe("the code of this library", () => {
  it("is found where a project has installed it, with all that it loads and nothing else", () => {
    const root = createTree({
      "node_modules/clawtools/package.json": {
        name: "clawtools",
        dependencies: { box: "1" },
        optionalDependencies: { "@scope/reader": "1", absent: "1" },
      },
      "node_modules/clawtools/dist/chunks/one.js": {},
      "node_modules/box/package.json": { name: "box" },
      "node_modules/@scope/reader/package.json": { dependencies: { deep: "1" } },
      "node_modules/@scope/reader/node_modules/deep/package.json": {},
      "node_modules/other/package.json": {},
    });
    expect(
      below(
        root,
        findOwnCode(root, { from: chunkOf(join(root, "node_modules/clawtools")) }).packages,
      ),
    ).toEqual([
      "node_modules/@scope/reader",
      "node_modules/@scope/reader/node_modules/deep",
      "node_modules/box",
      "node_modules/clawtools",
    ]);
  });

  it("looks for packages in every node_modules above it, there or not", () => {
    const root = createTree({
      "packages/a/node_modules/clawtools/package.json": {
        name: "clawtools",
        dependencies: { box: "1" },
      },
      "packages/a/node_modules/clawtools/dist/chunks/one.js": {},
      "deps/box/package.json": { peerDependencies: { canvas: "1" } },
      "plugins/one/package.json": {},
    });
    symlinkSync("deps", join(root, "node_modules"));
    const { folders } = findOwnCode(root, {
      from: chunkOf(join(root, "packages/a/node_modules/clawtools")),
      loads: [join(root, "plugins/one")],
    });
    expect(below(root, folders)).toEqual(
      expect.arrayContaining([
        "deps",
        "deps/node_modules",
        "node_modules",
        "packages/a/node_modules",
        "packages/node_modules",
        "plugins/node_modules",
      ]),
    );
  });

  it("is found behind the links of a store, whose folder of links is part of it", () => {
    const store = "node_modules/.pnpm/clawtools@1/node_modules";
    const root = createTree({
      [`${store}/clawtools/package.json`]: { name: "clawtools", dependencies: { box: "1" } },
      [`${store}/clawtools/dist/chunks/one.js`]: {},
      "node_modules/.pnpm/box@1/node_modules/box/package.json": { name: "box" },
    });
    symlinkSync("../../box@1/node_modules/box", join(root, store, "box"));
    symlinkSync(`.pnpm/clawtools@1/node_modules/clawtools`, join(root, "node_modules/clawtools"));
    expect(
      below(
        root,
        findOwnCode(root, { from: chunkOf(join(root, "node_modules/clawtools")) }).packages,
      ),
    ).toEqual(["node_modules/.pnpm/box@1/node_modules/box", store, `${store}/clawtools`]);
  });

  it("is what was built and installed where somebody works on it, and not its sources", () => {
    const root = createTree({
      "package.json": { name: "clawtools", dependencies: { box: "1" } },
      "dist/chunks/one.js": {},
      "src/index.ts": {},
      "node_modules/box/package.json": {},
      "node_modules/tool/package.json": {},
    });
    expect(below(root, findOwnCode(root, { from: chunkOf(root) }).packages)).toEqual([
      "dist",
      "node_modules/box",
      "package.json",
    ]);
    expect(findOwnCode(join(root, "src"), { from: chunkOf(root) }).packages).toEqual([]);
  });

  it("is of no matter for a folder that it does not lie in", () => {
    const root = createTree({ "work/notes.txt": "", "lib/package.json": { name: "clawtools" } });
    expect(findOwnCode(join(root, "work"), { from: chunkOf(join(root, "lib")) }).packages).toEqual(
      [],
    );
    expect(findOwnCode(join(root, "work"), { from: chunkOf(join(root, "work")) }).packages).toEqual(
      [],
    );
  });
});
