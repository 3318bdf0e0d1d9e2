// Hostile, odd and ordinary paths in every place where a patch names a file: each is judged right,
// and nothing outside of the root changes.

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createClawtools, createNodeBridge } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import ordinary from "../data/ordinary-paths.json" with { type: "json" };
import rows from "../data/paths.json" with { type: "json" };
import { campaignSize, sampleRows } from "../fakes/campaign.js";
import { resolveTool } from "../fakes/resolve-tool.js";
import { BEFORE, createScratchTree, type ScratchTree } from "../security/scratch-tree.js";

const AFTER = "content after\n";
/** Of each class; the bridge behind the tool takes all of them in every run. */
const STEP = campaignSize({ slice: 40, campaign: 1 });
const OTHER = "beside.txt";
const CHANGE = "@@\n-content before\n+content after";
const REFUSALS = [
  "path_outside_root",
  "path_invalid",
  "path_has_nul",
  "path_protected",
  "is_directory",
  "not_regular_file",
];
const PROTECTED = ["p055", "p056"];

let tree: ScratchTree;
let root: string;

beforeEach(() => {
  tree = createScratchTree();
  root = tree.root;
  writeFileSync(join(root, OTHER), BEFORE);
});

afterEach(() => rmSync(tree.place, { recursive: true, force: true }));

/** Each place, as a patch that names `path` there. */
const PLACES = {
  add: (path: string) => `*** Add File: ${path}\n+content after`,
  update: (path: string) => `*** Update File: ${path}\n${CHANGE}`,
  delete: (path: string) => `*** Delete File: ${path}`,
  moveFrom: (path: string) => `*** Update File: ${path}\n*** Move to: moved.txt\n${CHANGE}`,
  moveTo: (path: string) => `*** Update File: ${OTHER}\n*** Move to: ${path}\n${CHANGE}`,
} as const;
const PLACE_NAMES = ["add", "update", "delete", "moveFrom", "moveTo"] as const;

const withRoot = (path: string) => path.replace("{ROOT}", root);
/** A line end ends the line of the patch, and spaces around a path are ignored. */
const isNameable = ({ path }: { path: string }) => !path.includes("\n") && path === path.trim();

const { tools: registry } = createClawtools({ catalog: "all" });

async function apply(body: string): Promise<{ isError: boolean; reason: unknown }> {
  const ctx = { root, bridge: createNodeBridge(root) };
  const tool = resolveTool({ registry, name: "apply_patch", ctx });
  const input = `*** Begin Patch\n${body}\n*** End Patch`;
  const { isError, details } = await tool.execute("call", { input });
  const reason = typeof details === "object" && details && "reason" in details && details.reason;
  return { isError: isError === true, reason };
}

async function expectRefusal(path: string, place: keyof typeof PLACES): Promise<void> {
  const before = tree.checksum();
  const { isError, reason } = await apply(PLACES[place](withRoot(path)));
  expect(isError, place).toBe(true);
  expect(REFUSALS, place).toContain(reason);
  expect(tree.checksum(), place).toEqual(before);
}

/** `file` is made when the patch needs one there, and only it changes. */
async function expectWorks(path: string, file: string): Promise<void> {
  const { outside } = tree.checksum();
  const wasThere = existsSync(file);
  for (const place of PLACE_NAMES) {
    const isNew = place === "add" || place === "moveTo";
    writeFileSync(join(root, OTHER), BEFORE);
    mkdirSync(dirname(file), { recursive: true });
    if (!isNew || wasThere) writeFileSync(file, BEFORE);
    else rmSync(file, { force: true });
    const { isError, reason } = await apply(PLACES[place](withRoot(path)));
    expect({ place, isError, reason }).toEqual({ place, isError: false, reason: false });
    if (place === "delete" || place === "moveFrom")
      expect(existsSync(resolve(root, path))).toBe(false);
    else expect(readFileSync(file, "utf8"), place).toBe(AFTER);
    if (place === "moveFrom") expect(readFileSync(join(root, "moved.txt"), "utf8")).toBe(AFTER);
    if (place === "moveTo") expect(existsSync(join(root, OTHER))).toBe(false);
    expect(tree.checksum().outside, place).toBe(outside);
  }
}

describe("the path corpus", () => {
  const denied = rows.filter(({ expect: verdict }) => /^deny(?:-read|-write)?$/.test(verdict));
  it.each(
    sampleRows(
      denied.filter(({ id }) => !PROTECTED.includes(id)),
      4,
    ),
  )("$id is refused wherever a patch names it: $note", async ({ path }) => {
    for (const place of PLACE_NAMES) await expectRefusal(path, place);
  });

  it.each(denied.filter(({ id }) => PROTECTED.includes(id)))(
    "$id is changed by no patch, whether it is there or not: $note",
    async ({ path }) => {
      for (const place of ["add", "moveTo"] as const) await expectRefusal(path, place);
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), BEFORE);
      for (const place of PLACE_NAMES) await expectRefusal(path, place);
    },
  );

  it.each(
    rows.filter(isNameable).filter(({ expect: verdict }) => /^(?:allow|literal)/.test(verdict)),
  )("$id is a file inside the root: $note", async ({ id, path }) => {
    const file = resolve(root, withRoot(path));
    if (id !== "p059") return expectWorks(path, file);
    expect(await apply(PLACES.update(path))).toEqual({ isError: false, reason: false });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(AFTER);
  });

  it("is one that a patch can name, except with a line end or spaces around it", () => {
    const others = rows.filter((row) => !isNameable(row)).map(({ id }) => id);
    expect(others).toEqual(["p013", "p060", "p061"]);
  });
});

describe("ordinary paths", () => {
  const plain = ordinary.filter(isNameable).filter((row) => !("links" in row));
  const classes = [...new Set(plain.map((row) => row.class))];
  it.each(classes)("of the class %s work wherever a patch names them", async (name) => {
    rmSync(join(root, "a"), { recursive: true });
    const own = plain.filter((other) => other.class === name);
    for (const row of own.filter((_row, index) => index % STEP === 0)) {
      await expectWorks(row.path, resolve(root, row.path));
      rmSync(resolve(root, row.path), { force: true });
    }
  });

  it("a link inside the root leads to its file, and a deletion takes the link", async () => {
    mkdirSync(join(root, "real"));
    writeFileSync(join(root, "real/one.txt"), BEFORE);
    symlinkSync("real", join(root, "folder"));
    symlinkSync("real/one.txt", join(root, "file"));
    expect(await apply(PLACES.update("folder/one.txt"))).toMatchObject({ isError: false });
    expect(readFileSync(join(root, "real/one.txt"), "utf8")).toBe(AFTER);
    expect(await apply(PLACES.delete("file"))).toMatchObject({ isError: false });
    expect(existsSync(join(root, "file"))).toBe(false);
    expect(readFileSync(join(root, "real/one.txt"), "utf8")).toBe(AFTER);
  });

  it("a link and its file in one patch are one file: a conflict, and nothing changes", async () => {
    symlinkSync("a.txt", join(root, "link"));
    writeFileSync(join(root, "a.txt"), "1\n2\n");
    const before = readFileSync(join(root, "a.txt"), "utf8");
    const body = "*** Update File: a.txt\n@@\n-1\n+one\n*** Update File: link\n@@\n-2\n+two";
    expect(await apply(body)).toEqual({ isError: true, reason: "path_changed" });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(before);
  });
});
