// `npm run check` as people see it: a sign of life for each step, the failed tests by name at the
// end, and a closing line that says where it stopped. The steps are stand-ins, vitest is real.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

interface Step {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
}
interface CheckPieces {
  runAll(
    steps: readonly Step[],
    options: { width: number; stream: Writable },
  ): Promise<ReadonlyArray<{ name: string; code: number }>>;
}

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const PIECES = new URL("../../scripts/check/run-all.mjs", import.meta.url).href;
// The scripts are plain JavaScript without declarations: this is the border where they get a type.
const { runAll }: CheckPieces = await import(PIECES);

const ERASE_LINE = "\r\u001b[2K";
const REAL_VITEST_LIMIT_MS = 240_000;

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "clawtools-check-"));
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function sink(more: { readonly isTTY?: true } = {}) {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(stream, more), text: () => chunks.join("") };
}

describe("the steps of a check", () => {
  const step = (name: string, code = 0): Step => ({
    name,
    args: ["-e", `console.log("words of ${name}"); process.exit(${code})`],
    cwd: root,
  });

  it("each have a line when they begin and one when they end", async () => {
    const { stream, text } = sink();
    expect(await runAll([step("types"), step("lint")], { width: 1, stream })).toEqual([]);
    expect(text().replace(/\d+\.\d s/g, "0.0 s")).toBe(
      "types ...\ntypes    ok     0.0 s\nlint ...\nlint     ok     0.0 s\n",
    );
  });

  it("are shown on a terminal in one line that is written over", async () => {
    const { stream, text } = sink({ isTTY: true });
    await runAll([step("types")], { width: 1, stream });
    expect(text()).toContain(`${ERASE_LINE}types ... 0 s`);
    const left = text()
      .split("\n")
      .map((line) => line.slice(line.lastIndexOf(ERASE_LINE) + ERASE_LINE.length));
    expect(left).toEqual([expect.stringMatching(/^types {4}ok {5}\d+\.\d s$/), ""]);
  });

  it("stop at the first failure, with what that step had to say", async () => {
    const { stream, text } = sink();
    const failed = await runAll([step("types", 2), step("lint")], { width: 1, stream });
    expect(failed).toMatchObject([{ name: "types", code: 2 }]);
    expect(text()).toMatch(/^types \.\.\.\ntypes {4}FAILED \d+\.\d s\nwords of types\n$/);
  });
});

describe("scripts/check.mjs", () => {
  const PASS = "// A stand-in.\n";
  const REPORT = `// A stand-in: leaves a report with one failed test.
import { writeFileSync } from "node:fs";
const flag = "--outputFile.json=";
const file = process.argv.find((word) => word.startsWith(flag)).slice(flag.length);
const failed = { status: "failed", ancestorTitles: ["read"], title: "names the next offset" };
const passed = { status: "passed", ancestorTitles: [], title: "fine" };
const name = process.cwd() + "/test/read.test.ts";
const testResults = [{ name, status: "failed", assertionResults: [passed, failed] }];
writeFileSync(file, JSON.stringify({ testResults }));
process.exit(1);
`;

  /** The real scripts, with a stand-in for whatever they start. */
  function plantProject(standIns: { readonly vitest?: string; readonly tsc?: string }): void {
    cpSync(join(PROJECT, "scripts"), join(root, "scripts"), { recursive: true });
    for (const name of ["check-house", "check-package", "build"]) {
      write(`scripts/${name}.mjs`, PASS);
    }
    const programs = { typescript: "tsc", "@biomejs/biome": "biome", knip: "knip", vitest: "" };
    for (const [name, command] of Object.entries(programs)) {
      const bin = command === "" ? "run.mjs" : { [command]: "run.mjs" };
      write(`node_modules/${name}/package.json`, JSON.stringify({ bin }));
      write(`node_modules/${name}/run.mjs`, PASS);
    }
    write("node_modules/typescript/run.mjs", standIns.tsc ?? PASS);
    write("node_modules/vitest/run.mjs", standIns.vitest ?? PASS);
  }

  function check() {
    const args = [join(root, "scripts", "check.mjs")];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    return { status, lines: stdout.trimEnd().split("\n") };
  }

  it("repeats the failed tests by name before its closing line", () => {
    plantProject({ vitest: REPORT });
    const { status, lines } = check();
    expect(lines.at(-2)).toBe("  test/read.test.ts > read > names the next offset");
    expect(lines.at(-1)).toBe("1 passed, 1 failed");
    expect(lines).toContain("tests ...");
    expect(status).toBe(1);
  });

  it("names the step where it stopped when the tests did not run", () => {
    plantProject({ tsc: 'console.log("words of tsc");\nprocess.exit(2);\n', vitest: REPORT });
    const { status, lines } = check();
    expect(lines).toContain("words of tsc");
    expect(lines.at(-1)).toMatch(/^check failed at: (?:.*, )?types\b/);
    expect(lines.join("\n")).not.toMatch(/tests \.\.\.|passed/);
    expect(status).toBe(2);
  });
});

describe("the test run of a check", () => {
  it("leaves its report without a word about it", { timeout: REAL_VITEST_LIMIT_MS }, () => {
    symlinkSync(join(PROJECT, "node_modules"), join(root, "node_modules"));
    write("package.json", '{ "type": "module" }\n');
    write(
      "sum.test.mjs",
      'import { expect, it } from "vitest";\nit("adds", () => expect(1 + 1).toBe(2));\nit("is wrong", () => expect(1).toBe(2));\n',
    );
    const steps = new URL("../../scripts/check/steps.mjs", import.meta.url).href;
    const summary = new URL("../../scripts/check/test-summary.mjs", import.meta.url).href;
    write(
      "run.mjs",
      `import { runVitest } from "${steps}";
import { formatSummary, readTestSummary } from "${summary}";
const root = import.meta.dirname;
const reportFile = root + "/report.json";
const code = await runVitest({ root, reportFile, filters: [] });
const counts = readTestSummary({ root, reportFile, code });
console.log(counts.problem);
console.log(formatSummary(counts));
`,
    );
    const { stdout } = spawnSync(process.execPath, [join(root, "run.mjs")], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env.PATH },
    });
    expect(stdout).toContain("sum.test.mjs");
    expect(stdout).not.toContain("report written");
    expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
      "  sum.test.mjs > is wrong",
      "1 passed, 1 failed",
    ]);
  });
});
