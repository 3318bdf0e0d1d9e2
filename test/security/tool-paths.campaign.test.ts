// Every parameter of the file tools that takes a path, by all its names, through the door of a
// toolkit: hostile paths are refused and nothing outside changes; ordinary ones work.

import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { createToolkit, type InvokeResult, type Toolkit } from "clawtools";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import ordinary from "../data/ordinary-paths.json" with { type: "json" };
import hostile from "../data/paths.json" with { type: "json" };
import { campaignSize, sampleRows } from "../fakes/campaign.js";
import { BEFORE, createScratchTree, type ScratchTree } from "./scratch-tree.js";

const AFTER = "content after\n";
/** The bridge behind the tools takes all rows in every run. */
const STEP = campaignSize({ slice: 40, campaign: 1 });
const BESIDE = "beside.txt";
const REFUSALS = [
  "path_outside_root",
  "path_invalid",
  "path_has_nul",
  "path_protected",
  "is_directory",
  "not_regular_file",
];
const HUNK = "@@\n-content before\n+content after";
const patch = (body: string) => `*** Begin Patch\n${body}\n*** End Patch`;

/** What becomes of the path: it is shown, comes into being, changes, or goes. */
type Effect = "shown" | "made" | "changed" | "gone";

interface Parameter {
  readonly tool: string;
  readonly effect: Effect;
  toArguments(path: string): Record<string, unknown>;
}

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  "read.path": { tool: "read", effect: "shown", toArguments: (path) => ({ path }) },
  "read.file_path": {
    tool: "read",
    effect: "shown",
    toArguments: (path) => ({ file_path: path }),
  },
  "read.filePath": { tool: "Read", effect: "shown", toArguments: (path) => ({ filePath: path }) },
  "write.path": {
    tool: "write",
    effect: "made",
    toArguments: (path) => ({ path, content: AFTER }),
  },
  "write.file_path": {
    tool: "write",
    effect: "made",
    toArguments: (path) => ({ file_path: path, content: AFTER }),
  },
  "edit.path": {
    tool: "edit",
    effect: "changed",
    toArguments: (path) => ({ path, edits: [{ oldText: "before", newText: "after" }] }),
  },
  "edit.file_path": {
    tool: "edit",
    effect: "changed",
    toArguments: (path) => ({ file_path: path, old_string: "before", new_string: "after" }),
  },
  "apply_patch Add File": {
    tool: "apply_patch",
    effect: "made",
    toArguments: (path) => ({ input: patch(`*** Add File: ${path}\n+content after`) }),
  },
  "apply_patch Update File": {
    tool: "apply_patch",
    effect: "changed",
    toArguments: (path) => ({ patch: patch(`*** Update File: ${path}\n${HUNK}`) }),
  },
  "apply_patch Delete File": {
    tool: "apply_patch",
    effect: "gone",
    toArguments: (path) => ({ input: patch(`*** Delete File: ${path}`) }),
  },
  "apply_patch Update File with a move": {
    tool: "apply_patch",
    effect: "gone",
    toArguments: (path) => ({
      input: patch(`*** Update File: ${path}\n*** Move to: moved.txt\n${HUNK}`),
    }),
  },
  "apply_patch Move to": {
    tool: "apply_patch",
    effect: "made",
    toArguments: (path) => ({
      input: patch(`*** Update File: ${BESIDE}\n*** Move to: ${path}\n${HUNK}`),
    }),
  },
};
const NAMES = Object.keys(PARAMETERS);
const ALIASES = ["read.file_path", "read.filePath", "write.file_path", "edit.file_path"];
const CHANGING = NAMES.filter((name) => PARAMETERS[name]?.effect !== "shown");

let stateDir: string;
let tree: ScratchTree;
let root: string;
let toolkit: Toolkit;

beforeAll(() => {
  stateDir = mkdtempSync(join(tmpdir(), "tool-paths-state-"));
});

afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

beforeEach(() => {
  tree = createScratchTree();
  root = tree.root;
  toolkit = createToolkit({ root, stateDir });
  writeFileSync(join(root, BESIDE), BEFORE);
});

afterEach(async () => {
  await toolkit.close();
  rmSync(tree.place, { recursive: true, force: true });
});

async function call(name: string, path: string): Promise<InvokeResult> {
  const parameter = PARAMETERS[name];
  if (!parameter) throw new Error(`no ${name}`);
  const given = parameter.toArguments(path.replace("{ROOT}", root));
  return toolkit.invoke({ id: "call", name: parameter.tool, arguments: given });
}

async function expectRefusals(path: string, names: readonly string[]): Promise<void> {
  const before = tree.checksum();
  for (const name of names) {
    const result = await call(name, path);
    expect(result.isError, name).toBe(true);
    expect(REFUSALS, name).toContain(reasonOf(result));
    expect(tree.checksum(), name).toEqual(before);
  }
}

function reasonOf({ details }: InvokeResult): unknown {
  return typeof details === "object" && details && "reason" in details && details.reason;
}

describe("hostile paths", () => {
  const rowsOf = (verdict: RegExp) => hostile.filter((row) => verdict.test(row.expect));

  it.each(sampleRows(rowsOf(/^deny$|^deny-read$/), 4))(
    "$id is refused everywhere: $note",
    async ({ path }) => {
      await expectRefusals(path, NAMES);
    },
  );

  it.each(rowsOf(/^deny-write$/))("$id is changed nowhere: $note", async ({ path }) => {
    const making = CHANGING.filter((name) => PARAMETERS[name]?.effect === "made");
    await expectRefusals(path, making);
    if (path === ".") return;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), BEFORE);
    await expectRefusals(path, CHANGING);
  });
});

interface Row {
  readonly path: string;
  /** Where the file really lies, when links are on the way. */
  readonly file?: string;
  readonly links?: readonly (readonly string[])[];
  /** A second name of the file, outside of the root. */
  readonly store?: string;
}

/** A relative link that leads elsewhere from another folder: a patch refuses to move it. */
const FIXED_LINK = "dir/alias";

/** A line end ends the line of a patch, and spaces around a path are ignored. */
const isSayable = (name: string, { path }: Row) =>
  !name.startsWith("apply_patch") ||
  (!path.includes("\n") &&
    path === path.trim() &&
    !(name.endsWith("with a move") && path === FIXED_LINK));

/** A fresh root for one call: with the file, unless the call is to make it. */
function prepare(row: Row, effect: Effect): string {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
  writeFileSync(join(root, BESIDE), BEFORE);
  for (const [name = "", text = ""] of row.links ?? []) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(text.replace("{ROOT}", root), join(root, name));
  }
  const file = resolve(root, (row.file ?? row.path).replace("{ROOT}", root));
  mkdirSync(dirname(file), { recursive: true });
  if (row.store) {
    const store = join(tree.place, row.store);
    rmSync(store, { force: true });
    mkdirSync(dirname(store), { recursive: true });
    writeFileSync(store, BEFORE);
    linkSync(store, file);
    return file;
  }
  // Of a new file the format of patches takes spaces behind its name off.
  const isThere = effect !== "made" || row.links || row.path !== row.path.trimEnd();
  if (isThere) writeFileSync(file, BEFORE);
  return file;
}

async function expectWorks(name: string, row: Row): Promise<void> {
  const effect = PARAMETERS[name]?.effect ?? "shown";
  const file = prepare(row, effect);
  const result = await call(name, row.path);
  expect(result.isError, JSON.stringify(result.content)).toBe(false);
  if (effect === "gone") {
    const named = resolve(root, row.path.replace("{ROOT}", root));
    expect(lstatSync(named, { throwIfNoEntry: false })).toBeUndefined();
  } else expect(readFileSync(file, "utf8")).toBe(effect === "shown" ? BEFORE : AFTER);
  for (const [link = ""] of row.links ?? []) {
    const isTaken = effect === "gone" && link === row.path;
    const found = lstatSync(join(root, link), { throwIfNoEntry: false });
    expect(found?.isSymbolicLink() ?? false).toBe(!isTaken);
  }
  if (row.store) expect(readFileSync(join(tree.place, row.store), "utf8")).toBe(BEFORE);
}

async function listFailed(name: string, rows: readonly Row[]): Promise<string[]> {
  const failed: string[] = [];
  for (const row of rows.filter((candidate) => isSayable(name, candidate))) {
    await expectWorks(name, row).catch((error: unknown) => failed.push(`${row.path}: ${error}`));
  }
  return failed;
}

describe.runIf(sep === "/")("ordinary paths", () => {
  const rows: readonly Row[] = [
    ...ordinary,
    // A mention means another name.
    ...hostile.filter((row) => /^(?:allow|literal)/.test(row.expect) && row.id !== "p059"),
  ];

  it.each(NAMES)("all work in %s", async (name) => {
    expect(rows.length).toBeGreaterThan(200);
    // Another name is the same parameter from the door on; patches have a test of their own beside
    // this one, without links.
    const isSampled = ALIASES.includes(name) || name.startsWith("apply_patch");
    const step = isSampled ? 8 : STEP;
    const tried = rows.filter((row, index) => row.links || index % step === 0);
    const { outside } = tree.checksum();
    expect(
      await listFailed(
        name,
        tried.filter(({ store }) => !store),
      ),
    ).toEqual([]);
    expect(tree.checksum().outside).toBe(outside);
    expect(
      await listFailed(
        name,
        tried.filter(({ store }) => store),
      ),
    ).toEqual([]);
  });

  it("through links work for patches too", () => {
    const links = rows.filter((row) => row.links && isSayable("apply_patch", row));
    expect(links.length).toBeGreaterThanOrEqual(15);
  });
});
