// What a fresh process loads when it imports the built package: our own definitions, no
// implementation, no schema check, no package. V8's own coverage report lists every script of the
// process, whichever way it was loaded.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { DIST_DIR, PROJECT_DIR, runNode } from "../fakes/run-node.js";

const PACKAGES = "node_modules/";
const DOORS = ["index", "tools", "connectors", "plugins"];

/** Of our own: definitions, core, and the drivers that a door or the registry itself hands out. */
const ALLOWED_OWN = [
  /^src\/(?:public|core|lib|config|toolkit|connectors)\//,
  /^src\/tools\/catalog\.ts$/,
  /^src\/tools\/[^/]+\/(?:index|actions|limits|spellings|settings)\.ts$/,
  /^src\/tools\/process\/session\.ts$/,
  /^src\/drivers\/(?:clock|environment|records|time-guard)\.ts$/,
  /^src\/drivers\/(?:fs|media)\//,
];

/** What only a call needs: implementations, the schema check, the plugin loader, any package. */
const LAZY = [
  /^src\/tools\/[^/]+\/execute\.ts$/,
  /^src\/core\/schema\/(?:check\/(?!pattern)|validator\.ts$)/,
  /^src\/plugins\//,
  /^node_modules\//,
];

interface SourceMap {
  readonly sources: readonly string[];
}

/** The files that a process running `program` has loaded, as absolute paths. */
async function traceFiles(program: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "clawtools-loaded-"));
  try {
    const run = await runNode(["--input-type=module", "--eval", program], {
      NODE_V8_COVERAGE: folder,
    });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    const urls = readdirSync(folder).flatMap((name) => {
      const report: { result: { url: string }[] } = JSON.parse(
        readFileSync(join(folder, name), "utf8"),
      );
      return report.result.map(({ url }) => url);
    });
    // The program itself is listed as "[eval1]" in the working directory.
    return urls
      .filter((url) => url.startsWith("file:") && !url.includes("[eval"))
      .map((url) => fileURLToPath(url));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sources that were bundled into a file of dist; packages begin at node_modules. */
function listSources(file: string): string[] {
  const map: SourceMap = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  return map.sources.map((source) => {
    const packageAt = source.lastIndexOf(PACKAGES);
    if (packageAt >= 0) return source.slice(packageAt);
    return relative(PROJECT_DIR, resolve(dirname(file), source))
      .split(sep)
      .join("/");
  });
}

const isLazy = (source: string) => LAZY.some((pattern) => pattern.test(source));
const importOf = (door: string) =>
  `await import(${JSON.stringify(pathToFileURL(join(DIST_DIR, `${door}.js`)).href)});`;

describe.each(DOORS)("importing dist/%s.js", (door) => {
  it("loads files of dist only, and none that only a call needs", async () => {
    const files = await traceFiles(importOf(door));
    expect(files).toContain(join(DIST_DIR, `${door}.js`));
    expect(files.filter((file) => !file.startsWith(DIST_DIR + sep))).toEqual([]);
    const sources = files.flatMap(listSources);
    expect(sources).toContain("src/core/errors.ts");
    expect(sources.filter(isLazy)).toEqual([]);
    const strange = sources.filter(
      (source) => !ALLOWED_OWN.some((pattern) => pattern.test(source)),
    );
    expect(strange).toEqual([]);
  });
});

it("the first call of a tool loads its implementation and the schema compiler, and no other tool", async () => {
  const program = `${importOf("index").replace("await", "const { createClawtools, createNodeBridge } = await")}
    const root = process.cwd();
    const { tools } = createClawtools();
    const read = tools.resolve("read", { root, bridge: createNodeBridge(root) });
    const result = await read.execute("call_1", { path: "package.json" });
    if (result.isError) throw new Error(result.content[0].text);`;
  const files = await traceFiles(program);
  expect(files.filter((file) => !file.startsWith(DIST_DIR + sep))).toEqual([]);
  const lazy = files.flatMap(listSources).filter(isLazy);
  const ofTools = lazy.filter((source) => source.startsWith("src/tools/"));
  expect(ofTools).toEqual(["src/tools/read/execute.ts"]);
  expect(lazy).toContain("src/core/schema/validator.ts");
  expect(lazy.filter((source) => source.startsWith("src/plugins/"))).toEqual([]);
  const packages = lazy.filter((source) => source.startsWith(PACKAGES));
  expect(packages.length).toBeGreaterThan(0);
  expect(packages.filter((source) => !source.startsWith(`${PACKAGES}typebox/`))).toEqual([]);
});
