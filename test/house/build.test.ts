// The build, run for real on a small tree: what it leaves in dist, what it refuses, and that a
// refused build leaves the old dist alone.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

const TREE = {
  "package.json": '{ "type": "module", "sideEffects": false }\n',
  "src/core/build.ts": `// Builders.
export const string = () => ({ type: "string", title: "word of build" });
export const object = (properties: object) => ({ type: "object", properties });
`,
  "src/core/compile.ts": `// Compiles a schema at its first use.
export async function compile(schema: object): Promise<(value: unknown) => boolean> {
  const { Compile } = await import("typebox/schema");
  const compiled = Compile(schema);
  return (value) => compiled.Check(value);
}
`,
  "src/tools/echo/index.ts": `// A tool.
import { object, string } from "../../core/build.js";
import { compile } from "../../core/compile.js";

export const echo = {
  accepts: async (value: unknown) => (await compile(object({ text: string() })))(value),
  load: () => import("./execute.js"),
};
`,
  "src/tools/echo/execute.ts":
    '// What it does.\nimport { string } from "../../core/build.js";\n\nexport const execute = (text: string) => "word of execute, a ".concat(string().type, ": ", text);\n',
  "src/public/index.ts": '// The door.\nexport { echo } from "../tools/echo/index.js";\n',
  "src/cli/start.ts": '#!/usr/bin/env node\n// Starts.\nconsole.log("started");\n',
};

let root = "";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "clawtools-build-"));
  for (const name of ["scripts", "tsconfig.json", "tsconfig.build.json"]) {
    cpSync(join(PROJECT, name), join(root, name), { recursive: true });
  }
  symlinkSync(join(PROJECT, "node_modules"), join(root, "node_modules"));
  for (const [path, text] of Object.entries(TREE)) write(path, text);
});

afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function node(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
}

/** Every file that importing `file` loads, itself first. */
function listLoaded(file: string): string[] {
  const loaded = new Set([file]);
  for (const one of loaded) {
    const found = readFileSync(one, "utf8").matchAll(/(?:import|from)"(\.[^"]+)"/g);
    for (const [, path] of found) loaded.add(join(dirname(one), path ?? ""));
  }
  return [...loaded];
}

describe("scripts/build.mjs", () => {
  it("makes doors, declarations and the command line that work", () => {
    const built = node("scripts/build.mjs");
    expect(built.stderr).toBe("");
    expect(built.status).toBe(0);
    expect(readdirSync(join(root, ".cache"))).toEqual([]);
    expect(existsSync(join(root, "dist/types/public/index.d.ts"))).toBe(true);
    expect(node("dist/cli/start.js").stdout).toBe("started\n");

    write(
      "use.mjs",
      `import { echo } from "./dist/index.js";
const { execute } = await echo.load();
console.log(await echo.accepts({ text: "a" }), await echo.accepts({ text: 1 }), execute("b"));
`,
    );
    expect(node("use.mjs").stdout).toBe("true false word of execute, a string: b\n");
  });

  it("keeps implementations and the schema compiler out of what importing a door loads", () => {
    const loaded = listLoaded(join(root, "dist/index.js"));
    const text = loaded.map((file) => readFileSync(file, "utf8")).join("\n");
    expect(text).toContain("word of build");
    expect(text).not.toContain("additionalProperties");
    expect(text).not.toContain("word of execute");
  });

  it("puts what the main door loads into one file, also what an implementation uses too", () => {
    const loaded = listLoaded(join(root, "dist/index.js"));
    const withCode = loaded.filter((file) =>
      /word of build|accepts/.test(readFileSync(file, "utf8")),
    );
    expect(withCode).toHaveLength(1);
  });

  it("writes no path of this machine into dist", () => {
    const names = readdirSync(join(root, "dist"), { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    const named = files.filter((entry) =>
      readFileSync(join(entry.parentPath, entry.name), "utf8").includes(dirname(root)),
    );
    expect(files.length).toBeGreaterThan(5);
    expect(named.map(({ name }) => name)).toEqual([]);
  });

  it("refuses an eager implementation and keeps the old dist", () => {
    const before = readFileSync(join(root, "dist/.stamp"), "utf8");
    write(
      "src/public/index.ts",
      '// The door.\nexport { execute } from "../tools/echo/execute.js";\n',
    );
    const { status, stderr } = node("scripts/build.mjs");
    expect(status).toBe(1);
    expect(stderr).toContain("dist/index.js loads src/tools/echo/execute.ts");
    expect(readFileSync(join(root, "dist/.stamp"), "utf8")).toBe(before);
    expect(readdirSync(join(root, ".cache"))).toEqual([]);
  });
});
