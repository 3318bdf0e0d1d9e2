// What people read at the end of a run: the closing line of the checks and the table of figures.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly exitCode: number;
  readonly problem: string | undefined;
}
interface SummaryPieces {
  readTestSummary(input: { root: string; reportFile: string; code: number }): Summary;
  formatSummary(summary: Summary): string;
}

const PIECES = new URL("../../scripts/check/test-summary.mjs", import.meta.url).href;
// The scripts are plain JavaScript without declarations: this is the border where they get a type.
const { readTestSummary, formatSummary }: SummaryPieces = await import(PIECES);

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clawtools-reports-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("the closing line of the checks", () => {
  const file = (status: string, ...states: string[]) => ({
    name: `${status}.test.ts`,
    status,
    assertionResults: states.map((state) => ({
      status: state,
      ancestorTitles: ["the tool"],
      title: `is ${state}`,
    })),
  });

  it.for([
    ["tests that all passed", [file("passed", "passed", "passed")], 0, "2 passed, 0 failed", 0],
    ["a failed test", [file("failed", "passed", "failed")], 1, "1 passed, 1 failed", 1],
    [
      "skipped tests",
      [file("passed", "passed", "skipped", "todo")],
      0,
      "1 passed, 0 failed, 2 skipped",
      0,
    ],
    [
      "a file that would not load",
      [file("failed"), file("passed", "passed")],
      1,
      "1 passed, 1 failed",
      1,
    ],
    ["an error outside of any test", [file("passed", "passed")], 1, "1 passed, 1 failed", 1],
    ["a run without tests", [], 0, "0 passed, 0 failed", 1],
  ] as const)("counts %s", ([, testResults, code, line, exitCode]) => {
    const reportFile = join(folder, "report.json");
    writeFileSync(reportFile, JSON.stringify({ testResults }));
    const summary = readTestSummary({ root: folder, reportFile, code });
    expect(formatSummary(summary)).toBe(line);
    expect(summary.exitCode).toBe(exitCode);
  });

  it("stands below the name of each failed test and of each file that broke outside of them", () => {
    const reportFile = join(folder, "report.json");
    const named = (name: string, ...states: string[]) => ({
      ...file("failed", ...states),
      name: join(folder, name),
    });
    const testResults = [named("test/a.test.ts", "passed", "failed"), named("src/b.test.ts")];
    writeFileSync(reportFile, JSON.stringify({ testResults }));
    expect(readTestSummary({ root: folder, reportFile, code: 1 }).problem).toBe(
      "  test/a.test.ts > the tool > is failed\n  src/b.test.ts > outside of its tests",
    );
  });

  it("counts a run that left no report as a failure", () => {
    const summary = readTestSummary({
      root: folder,
      reportFile: join(folder, "none.json"),
      code: 0,
    });
    expect(formatSummary(summary)).toBe("0 passed, 1 failed");
    expect(summary.exitCode).toBe(1);
  });
});

describe("bench/run.mjs", () => {
  function runBench(...args: string[]) {
    const script = fileURLToPath(new URL("../../bench/run.mjs", import.meta.url));
    cpSync(script, join(folder, "run.mjs"));
    return spawnSync(process.execPath, [join(folder, "run.mjs"), ...args], { encoding: "utf8" });
  }

  function plantBench(name: string, id: string): void {
    const texts = {
      work: "a long piece of work ".repeat(5),
      raw: "1 ms",
      ours: "2 ms",
      ratio: "2x",
    };
    const row = JSON.stringify({ id, ...texts, target: "≤ 1.5x", met: false });
    const text = `export async function rows() { return [${row}]; }\n`;
    writeFileSync(join(folder, `${name}.bench.mjs`), text);
  }

  it("prints the figures in the order of their ids, within 100 columns, and fails for none", () => {
    plantBench("a", "10a");
    plantBench("b", "2b");
    const { status, stdout } = runBench();
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^# +work +raw +ours +ratio +target +met$/);
    expect(lines.filter((line) => /^\d/.test(line)).map((line) => line.split(" ")[0])).toEqual([
      "2b",
      "10a",
    ]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(status).toBe(0);
  });

  it("takes prefixes of ids and gives JSON", () => {
    plantBench("a", "10a");
    plantBench("b", "2b");
    const { stdout } = runBench("2", "--json");
    expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ id: "2b", met: false })]);
  });

  it("fails when a benchmark breaks, and still shows the others", () => {
    plantBench("a", "1a");
    writeFileSync(join(folder, "b.bench.mjs"), "export async function rows() { throw 1; }\n");
    const { status, stdout, stderr } = runBench();
    expect(stdout).toMatch(/^1a/m);
    expect(stderr).toContain("b.bench.mjs: ended with 1");
    expect(status).toBe(1);
  });
});
