// Hostile and odd paths against every method of the folder bridge and every place in it that takes a
// path: each is judged right, and nothing outside of the root changes.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createNodeBridge, type FsBridge, isToolError } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import rows from "../data/paths.json" with { type: "json" };
import { BEFORE, createScratchTree, type ScratchTree } from "./scratch-tree.js";

/** What waits for the other end of a pipe waits for ever. */
const MAX_ANSWER_MS = 2_000;
const REFUSALS = [
  "path_outside_root",
  "path_invalid",
  "path_has_nul",
  "path_protected",
  "is_directory",
  "not_directory",
  "not_regular_file",
];

type WholeBridge = Required<FsBridge>;
type Call = (bridge: WholeBridge, filePath: string) => Promise<unknown>;

const READING: Record<string, Call> = {
  stat: (bridge, filePath) => bridge.stat({ filePath }),
  readFile: (bridge, filePath) => bridge.readFile({ filePath }),
  openFile: (bridge, filePath) => bridge.openFile({ filePath }),
  list: (bridge, filePath) => bridge.list({ filePath, limit: 10 }),
  exclusive: (bridge, filePath) => bridge.exclusive([{ filePath }], async () => undefined),
};
const CHANGING: Record<string, Call> = {
  mkdirp: (bridge, filePath) => bridge.mkdirp({ filePath }),
  writeFile: (bridge, filePath) => bridge.writeFile({ filePath, data: "x" }),
  remove: (bridge, filePath) => bridge.remove({ filePath }),
  removeFolder: (bridge, filePath) => bridge.removeFolder({ filePath }),
  "rename from": (bridge, filePath) => bridge.rename({ filePath, to: "moved" }),
  "rename to": (bridge, filePath) => bridge.rename({ filePath: "a.txt", to: filePath }),
};
/** They tell what is there or queue for it; neither opens a device or a folder. */
const LOOKING = ["stat", "exclusive"];

let tree: ScratchTree;
let bridge: WholeBridge;

beforeEach(() => {
  tree = createScratchTree();
  bridge = createNodeBridge(tree.root);
});

afterEach(() => rmSync(tree.place, { recursive: true, force: true }));

const withRoot = (path: string) => path.replace("{ROOT}", tree.root);
const rowsOf = (verdict: RegExp) => rows.filter((row) => verdict.test(row.expect));

async function expectRefusals(path: string, calls: Record<string, Call>): Promise<void> {
  const before = tree.checksum();
  for (const [name, call] of Object.entries(calls)) {
    const start = performance.now();
    const outcome = await call(bridge, withRoot(path)).catch((error: unknown) => error);
    expect(performance.now() - start, name).toBeLessThan(MAX_ANSWER_MS);
    const reason = isToolError(outcome) ? outcome.reason : `no refusal by ${name}`;
    expect(REFUSALS, name).toContain(reason);
    expect(tree.checksum(), name).toEqual(before);
  }
}

const without = (calls: Record<string, Call>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(calls).filter(([name]) => !names.includes(name)));

describe("the path corpus against every method of the bridge", () => {
  it.each(rowsOf(/^deny$/))("$id is refused: $note", async ({ id, path }) => {
    const isDevice = id === "p053";
    await expectRefusals(path, isDevice ? without(READING, LOOKING) : READING);
    await expectRefusals(path, CHANGING);
  });

  it.each(rowsOf(/^deny-write$/))("$id is not changed: $note", async ({ id, path }) => {
    // A folder that is there need not be made, and that says nothing about its content.
    await expectRefusals(path, id === "p011" ? without(CHANGING, ["mkdirp"]) : CHANGING);
    if (id === "p011") return;
    mkdirSync(dirname(resolve(tree.root, path)), { recursive: true });
    writeFileSync(resolve(tree.root, path), BEFORE);
    await expectRefusals(path, CHANGING);
    expect(String(await bridge.readFile({ filePath: path }))).toBe(BEFORE);
  });

  it.each(rowsOf(/^deny-read$/))("$id is no file: $note", async ({ path }) => {
    await expectRefusals(path, without(READING, [...LOOKING, "list"]));
    // What is for folders.
    await expectRefusals(path, without(CHANGING, ["mkdirp", "removeFolder"]));
  });

  it.each(rowsOf(/^(?:allow|literal)/))(
    "$id is a file inside the root: $note",
    async ({ path }) => {
      const { outside } = tree.checksum();
      const [filePath, file] = [withRoot(path), resolve(tree.root, withRoot(path))];
      await bridge.writeFile({ filePath, data: "written" });
      expect(readFileSync(file, "utf8")).toBe("written");
      expect(await bridge.stat({ filePath })).toMatchObject({ type: "file", size: 7 });
      expect(String(await bridge.readFile({ filePath }))).toBe("written");
      const opened = await bridge.openFile({ filePath });
      const into = Buffer.alloc(20);
      expect(into.toString("utf8", 0, await opened.read(into, 0))).toBe("written");
      await opened.close();
      await bridge.rename({ filePath, to: "moved" });
      expect(existsSync(file)).toBe(false);
      await bridge.rename({ filePath: "moved", to: filePath });
      await bridge.exclusive([{ filePath }], async (own) => own.writeFile({ filePath, data: "2" }));
      expect(readFileSync(file, "utf8")).toBe("2");
      await bridge.remove({ filePath });
      expect(existsSync(file)).toBe(false);
      await bridge.mkdirp({ filePath });
      expect(await bridge.list({ filePath, limit: 1 })).toEqual([]);
      expect(tree.checksum().outside).toBe(outside);
    },
  );

  it("has every row in one of these tests", () => {
    expect(rows).toHaveLength(41);
    expect(rowsOf(/^(?:deny|deny-write|deny-read)$|^(?:allow|literal)/)).toHaveLength(41);
  });
});
