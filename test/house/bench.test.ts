// Every benchmark still works: each runs in its tiny size and gives rows with all its ids.

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "bench");
const TIMEOUT_MS = 600_000;

interface Row {
  readonly file: string;
  readonly id: string;
  readonly work: string;
  readonly raw: string;
  readonly ours: string;
  readonly target: string;
}

const files = readdirSync(FOLDER).filter((name) => name.endsWith(".bench.mjs"));

function readIds(file: string): string[] {
  const [, list = ""] = /ids = (\[.*\]);/.exec(readFileSync(join(FOLDER, file), "utf8")) ?? [];
  return JSON.parse(list);
}

it(
  "every benchmark gives its rows",
  async () => {
    const argv = [join(FOLDER, "run.mjs"), "--tiny", "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: ROOT });
    const rows: readonly Row[] = JSON.parse(stdout);
    for (const file of files) {
      const own = new Set(rows.filter((row) => row.file === file).map(({ id }) => id));
      expect([file, [...own].sort()]).toEqual([file, readIds(file).sort()]);
    }
    const cell = expect.stringMatching(/./);
    for (const row of rows) {
      expect(row).toMatchObject({ id: cell, work: cell, raw: cell, ours: cell, target: cell });
      expect(`${row.raw} ${row.ours}`).not.toMatch(/NaN|undefined/);
    }
  },
  TIMEOUT_MS,
);
