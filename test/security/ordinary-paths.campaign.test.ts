// Two hundred ordinary paths, by class: whatever people call their files and however they link them,
// every method of the folder bridge works on them.

import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, sep } from "node:path";
import { createNodeBridge, type FsBridge } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import rows from "../data/ordinary-paths.json" with { type: "json" };
import { sampleRows } from "../fakes/campaign.js";

interface Row {
  readonly class: string;
  readonly path: string;
  /** Where the file really lies, when links are on the way. */
  readonly file?: string;
  /** Names of links and what they say. */
  readonly links?: readonly (readonly string[])[];
  /** A file outside of the root of which this one is a second name, as in a package store. */
  readonly store?: string;
}

let place: string;
let root: string;
let bridge: Required<FsBridge>;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "ordinary-")));
  root = join(place, "root");
  mkdirSync(root);
  bridge = createNodeBridge(root);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

const SAMPLES: readonly Row[] = rows;
const CLASSES = [...new Set(SAMPLES.map((row) => row.class))];

it("there are two hundred, in these classes", () => {
  expect(SAMPLES).toHaveLength(200);
  expect(CLASSES).toEqual([
    "plain",
    "spaces",
    "unicode",
    "dots",
    "deep",
    "signs",
    "links",
    "hard links",
  ]);
});

describe.runIf(sep === "/")("ordinary paths", () => {
  it.each(CLASSES)("of the class %s work in every method", async (name) => {
    const failed: string[] = [];
    for (const row of sampleRows(
      SAMPLES.filter((sample) => sample.class === name),
      5,
    )) {
      await useInEveryWay(row).catch((error: unknown) => failed.push(`${row.path}: ${error}`));
    }
    expect(failed).toEqual([]);
  });
});

async function useInEveryWay(row: Row): Promise<void> {
  prepare(row);
  const filePath = row.path;
  const text = `content of ${filePath}`;
  if (row.store) expect(String(await bridge.readFile({ filePath }))).toBe(`store ${row.store}`);
  await bridge.writeFile({ filePath, data: text });
  expect(readFileSync(join(root, row.file ?? filePath), "utf8")).toBe(text);
  expect(String(await bridge.readFile({ filePath }))).toBe(text);
  expect(await bridge.stat({ filePath })).toMatchObject({ type: "file" });
  const folder = posix.dirname(filePath);
  const names = await bridge.list({ filePath: folder, limit: 1_000 });
  expect(names.map((entry) => entry.name)).toContain(posix.basename(filePath));
  await bridge.exclusive([{ filePath }], async (own) => {
    const before = await own.readFile({ filePath });
    await own.writeFile({ filePath, data: `${before}!` });
  });
  const moved = posix.join(folder, "moved to here");
  await bridge.rename({ filePath, to: moved });
  expect(await bridge.stat({ filePath })).toBeNull();
  expect(String(await bridge.readFile({ filePath: moved }))).toBe(`${text}!`);
  await bridge.rename({ filePath: moved, to: filePath });
  await bridge.remove({ filePath });
  expect(await bridge.stat({ filePath })).toBeNull();
  if (!row.store) return;
  expect(readFileSync(join(place, row.store), "utf8")).toBe(`store ${row.store}`);
}

function prepare(row: Row): void {
  const file = join(root, row.file ?? row.path);
  for (const [name = "", text = ""] of row.links ?? []) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(text.replace("{ROOT}", root), join(root, name));
  }
  if (row.file) mkdirSync(dirname(file), { recursive: true });
  if (row.links && !row.store) writeFileSync(file, "");
  if (!row.store) return;
  for (const path of [file, join(place, row.store)]) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(join(place, row.store), `store ${row.store}`);
  linkSync(join(place, row.store), file);
}
