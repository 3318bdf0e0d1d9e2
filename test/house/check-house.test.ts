// The house checker: a clean tree passes, one planted fault of each kind is caught at its line, and
// the project itself passes.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

type Files = Readonly<Record<string, string>>;

interface HouseChecker {
  findFaults(root: string): {
    readonly faults: ReadonlyArray<{ path: string; line: number; rule: string; message: string }>;
  };
}

const SCRIPT = fileURLToPath(new URL("../../scripts/check-house.mjs", import.meta.url));
const LOGIC = new URL("../../scripts/check-house/find-faults.mjs", import.meta.url).href;

// The scripts are plain JavaScript without declarations: this is the border where they get a type.
const { findFaults }: HouseChecker = await import(LOGIC);

const CLEAN_TREE: Files = {
  "README.md": "# Sample\n\nFiles lie in /home/me/project/.\n",
  "package-lock.json": '{ "packages": {} }\n',
  "src/lib/clamp.ts": "// Keeps a number in bounds.\nexport const clamp = Math.min;\n",
  "src/core/index.ts":
    '// Door of core.\nexport type { Sum } from "./add.js";\nexport { add } from "./add.js";\n',
  "src/core/add.ts":
    '// Adds.\nimport { Type } from "typebox";\nimport { clamp } from "../lib/clamp.js";\n\nexport type Sum = number;\nexport const add = (left: Sum) => clamp(left, Type.Kind);\n',
  "src/core/add.test.ts":
    '// Tests of add.\nimport { readFileSync } from "node:fs";\nimport { makeClock } from "../../test/fakes/clock.js";\nimport { add } from "./index.js";\n\nit("adds", () => add(readFileSync, makeClock, process.pid, "TODO"));\n',
  "src/tools/read/index.ts":
    '// What the model sees of read.\nimport { add } from "../../core/index.js";\n\nexport type ReadCall = number;\nexport const read = add({ load: () => import("./execute.js") });\n',
  "src/tools/read/execute.ts":
    '// What read does.\nimport { clamp } from "../../lib/clamp.js";\nimport type { ReadCall } from "./index.js";\n\nexport const execute = (call: ReadCall) => clamp(call);\n',
  "src/tools/apply_patch/index.ts":
    '// What the model sees of apply_patch.\nexport const applyPatch = `\nlet process.env = /[/]"/ $'.concat(
      "{{ a: '}' }.a}\n`;\n",
    ),
  "src/drivers/net/send.ts":
    '// The way out.\nimport type { Pool } from "undici";\n\nexport const net = { fetch: (pool: Pool) => fetch(pool.url) };\n',
  "src/tools/catalog.ts":
    '// The list of tools.\nimport { applyPatch } from "./apply_patch/index.js";\nimport { read } from "./read/index.js";\n\nexport const catalog = [read, applyPatch];\n',
  "src/toolkit/index.ts": '// Door of the toolkit.\nexport { toolkit } from "./toolkit.js";\n',
  "src/toolkit/toolkit.ts":
    '// Joins the tools.\nimport { catalog } from "../tools/catalog.js";\n\n// Where process.env is only spoken of.\nexport const toolkit = (ctx: { process: { run(): string } }) => [ctx.process.run(), catalog];\n',
  "src/public/index.ts": '// The main door.\nexport * from "./toolkit.js";\n',
  "src/public/toolkit.ts": '// A door.\nexport { toolkit } from "../toolkit/index.js";\n',
  "src/cli/start.ts": "// The command line.\nprocess.exitCode = 0;\n",
};

/** Each case adds files to the clean tree; the fault it plants must be the only one. */
const CASES: ReadonlyArray<{ rule: string; what: string; at: string; files: Files }> = [
  {
    rule: "rank",
    what: "a room that looks up",
    at: "src/core/up.ts:3",
    files: {
      "src/core/up.ts": '// Up.\n\nexport { toolkit } from "../toolkit/index.js";\n',
    },
  },
  {
    rule: "rank",
    what: "a type that looks up",
    at: "src/core/up.ts:2",
    files: {
      "src/core/up.ts": '// Up.\nexport type Kit = import("../toolkit/index.js").Kit;\n',
    },
  },
  {
    rule: "rank",
    what: "a test that looks up, also by the package's own name",
    at: "src/core/up.test.ts:2",
    files: {
      "src/core/up.test.ts": '// Up.\nimport { toolkit } from "clawtools";\n\nit(toolkit);\n',
    },
  },
  {
    rule: "stranger",
    what: "a room that looks at one of its own rank",
    at: "src/plugins/load.ts:2",
    files: { "src/plugins/load.ts": '// Load.\nimport type { X } from "../tools/catalog.js";\n' },
  },
  {
    rule: "stranger",
    what: "lib that looks at core",
    at: "src/lib/clamp.ts:2",
    files: {
      "src/lib/clamp.ts": '// Clamp.\nexport { add as clamp } from "../core/index.js";\n',
    },
  },
  {
    rule: "stranger",
    what: "a tool that looks at another tool",
    at: "src/tools/read/more.ts:2",
    files: { "src/tools/read/more.ts": '// More.\nimport { a } from "../apply_patch/index.js";\n' },
  },
  {
    rule: "door",
    what: "a room entered past its door",
    at: "src/toolkit/past.ts:2",
    files: { "src/toolkit/past.ts": '// Past.\nimport { add } from "../core/add.js";\n' },
  },
  {
    rule: "door",
    what: "a tool entered past its door",
    at: "src/toolkit/past.ts:3",
    files: {
      "src/toolkit/past.ts":
        '// Past.\nexport const past = async () =>\n  import("../tools/read/execute.js");\n',
    },
  },
  {
    rule: "door",
    what: "one door above all tools",
    at: "src/tools/index.ts:1",
    files: { "src/tools/index.ts": '// All.\nexport { catalog } from "./catalog.js";\n' },
  },
  {
    rule: "own-door",
    what: "a room that enters by its own door",
    at: "src/core/round.ts:2",
    files: { "src/core/round.ts": '// Round.\nimport type { Sum } from "./index.js";\n' },
  },
  {
    rule: "own-door",
    what: "a tool that takes a value from its definition",
    at: "src/tools/read/round.ts:2",
    files: { "src/tools/read/round.ts": '// Round.\nimport { read } from "./index.js";\n' },
  },
  {
    rule: "core-pure",
    what: "core that uses Node",
    at: "src/core/disk.ts:2",
    files: { "src/core/disk.ts": '// Disk.\nimport { readFile } from "node:fs";\n' },
  },
  {
    rule: "network",
    what: "a fetch beside the one of the network driver",
    at: "src/tools/read/more.ts:3",
    files: {
      "src/tools/read/more.ts":
        "// More: fetch( and tools.fetch(it) are only spoken of.\nexport type More = { fetch?: string; fetch(url: string): Promise<string> };\nexport const more = (url: string) => fetch(url);\n",
    },
  },
  {
    rule: "network",
    what: "a fetch under another name",
    at: "src/tools/read/more.ts:2",
    files: { "src/tools/read/more.ts": "// More.\nexport const { fetch: more } = globalThis;\n" },
  },
  {
    rule: "network",
    what: "a fetch that is handed on",
    at: "src/toolkit/more.ts:2",
    files: { "src/toolkit/more.ts": "// More.\nexport const more = [fetch].map(Boolean);\n" },
  },
  {
    rule: "network",
    what: "a module of Node that makes requests",
    at: "src/toolkit/more.ts:2",
    files: { "src/toolkit/more.ts": '// More.\nexport { get } from "node:https";\n' },
  },
  {
    rule: "network",
    what: "a server that makes requests too; listening alone is its right",
    at: "src/mcp/server/http/more.ts:3",
    files: {
      "src/mcp/server/http/more.ts":
        '// More.\nimport { createServer, type Server } from "node:http";\nimport { request } from "node:http";\nexport const more = [createServer, request] satisfies unknown[] as Server[];\n',
    },
  },
  {
    rule: "network",
    what: "the HTTP client, its name hidden from the import",
    at: "src/drivers/other/more.ts:2",
    files: {
      "src/drivers/other/more.ts":
        '// More.\nconst CLIENT: string = "undici";\nexport const more = () => import(CLIENT);\n',
    },
  },
  {
    rule: "core-pure",
    what: "core that uses a package",
    at: "src/core/box.ts:2",
    files: { "src/core/box.ts": '// Box.\nimport { z } from "zod";\n' },
  },
  {
    rule: "tool-imports",
    what: "a tool that reads the configuration",
    at: "src/tools/read/settings.ts:2",
    files: {
      "src/config/index.ts": '// Door.\nexport { load } from "./load.js";\n',
      "src/config/load.ts": "// Load.\nexport const load = () => process.env;\n",
      "src/tools/read/settings.ts": '// Settings.\nimport { load } from "../../config/index.js";\n',
    },
  },
  {
    rule: "process",
    what: "a room that reads the environment",
    at: "src/toolkit/env.ts:2",
    files: { "src/toolkit/env.ts": "// Env.\nexport const env = () => process.env;\n" },
  },
  {
    rule: "process",
    what: "a room that imports the process",
    at: "src/toolkit/env.ts:2",
    files: { "src/toolkit/env.ts": '// Env.\nimport { env } from "node:process";\n' },
  },
  {
    rule: "side-effect",
    what: "a file that works when it is loaded",
    at: "src/toolkit/work.ts:4",
    files: { "src/toolkit/work.ts": "// Work.\nconst list = [];\n\nlist.push(1);\n" },
  },
  {
    rule: "side-effect",
    what: "an import for its effect",
    at: "src/toolkit/work.ts:2",
    files: { "src/toolkit/work.ts": '// Work.\nimport "./toolkit.js";\n' },
  },
  {
    rule: "module-state",
    what: "state in a module",
    at: "src/toolkit/state.ts:2",
    files: { "src/toolkit/state.ts": "// State.\nlet count = 0;\n" },
  },
  {
    rule: "outside",
    what: "a source that imports from outside src",
    at: "src/toolkit/fake.ts:2",
    files: { "src/toolkit/fake.ts": '// Fake.\nimport { a } from "../../test/fakes/clock.js";\n' },
  },
  {
    rule: "room",
    what: "a folder that is no room",
    at: "src/attic/box.ts:1",
    files: { "src/attic/box.ts": "// Box.\n" },
  },
  {
    rule: "size",
    what: "a source of 301 lines",
    at: "src/toolkit/long.ts:301",
    files: { "src/toolkit/long.ts": "// Long.\n".repeat(301) },
  },
  {
    rule: "size",
    what: "a test of 501 lines",
    at: "test/long.test.ts:501",
    files: { "test/long.test.ts": "// Long.\n".repeat(501) },
  },
  {
    rule: "size",
    what: "a lib file of 101 lines",
    at: "src/lib/clamp.ts:101",
    files: { "src/lib/clamp.ts": "// Long.\n".repeat(101) },
  },
  {
    rule: "folder-size",
    what: "a folder of 21 files",
    at: "src/audit:1",
    files: Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`src/audit/row-${index}.ts`, "// Row.\n"]),
    ),
  },
  {
    rule: "name",
    what: "a name that is not kebab-case",
    at: "src/toolkit/upDown.ts:1",
    files: { "src/toolkit/upDown.ts": "// Up.\n" },
  },
  {
    rule: "name",
    what: "a folder under tools that is no tool id",
    at: "src/tools/Read/more.ts:1",
    files: { "src/tools/Read/more.ts": "// More.\n" },
  },
  {
    rule: "empty-name",
    what: "a name that says nothing",
    at: "src/toolkit/path-utils.ts:1",
    files: { "src/toolkit/path-utils.ts": "// Paths.\n" },
  },
  {
    rule: "empty-name",
    what: "a drawer of types",
    at: "src/toolkit/types.ts:1",
    files: { "src/toolkit/types.ts": "// Types.\n" },
  },
  {
    rule: "default-export",
    what: "a default export",
    at: "src/toolkit/main.ts:2",
    files: { "src/toolkit/main.ts": "// Main.\nexport default 1;\n" },
  },
  {
    rule: "door-logic",
    what: "a door with logic",
    at: "src/plugins/index.ts:3",
    files: { "src/plugins/index.ts": "// Door.\n\nexport const plugins = [];\n" },
  },
  {
    rule: "door-logic",
    what: "a shop window with logic",
    at: "src/public/tools.ts:2",
    files: { "src/public/tools.ts": "// Door.\nexport const tools = [];\n" },
  },
  {
    rule: "door-list",
    what: "a door that does not list",
    at: "src/public/tools.ts:2",
    files: { "src/public/tools.ts": '// Door.\nexport * from "../toolkit/index.js";\n' },
  },
  {
    rule: "head-comment",
    what: "a file without a word on top",
    at: "src/toolkit/mute.ts:1",
    files: { "src/toolkit/mute.ts": "export const mute = 1;\n// Too late.\n" },
  },
  {
    rule: "unfinished",
    what: "a mark of unfinished work",
    at: "src/toolkit/later.ts:2",
    files: { "src/toolkit/later.ts": "// Later.\n// FIXME: everything\n" },
  },
  {
    rule: "loose-type",
    what: "a loose type",
    at: "src/toolkit/loose.ts:2",
    files: { "src/toolkit/loose.ts": "// Loose.\nexport const loose = (x: Array<any>) => x;\n" },
  },
  {
    rule: "silenced-check",
    what: "a silenced check",
    at: "src/toolkit/quiet.ts:2",
    files: { "src/toolkit/quiet.ts": "// Quiet.\n// @ts-expect-error it is so\nconst a = 1;\n" },
  },
  {
    rule: "empty-catch",
    what: "an empty catch",
    at: "src/toolkit/lost.ts:5",
    files: {
      "src/toolkit/lost.ts":
        "// Lost.\nexport function lose(work: () => void) {\n  try {\n    work();\n  } catch {\n  }\n}\n",
    },
  },
  {
    rule: "empty-catch",
    what: "a rejection thrown away",
    at: "src/toolkit/lost.ts:2",
    files: {
      "src/toolkit/lost.ts": "// Lost.\nexport const lose = (p: X) => p.catch(() => {});\n",
    },
  },
  {
    rule: "lib-users",
    what: "a lib file with one user",
    at: "src/lib/once.ts:1",
    files: {
      "src/lib/once.ts": "// Once.\nexport const once = 1;\n",
      "src/lib/once.test.ts": '// Tests.\nimport { once } from "./once.js";\n\nit(once);\n',
      "src/toolkit/user.ts": '// User.\nimport { once } from "../lib/once.js";\n',
    },
  },
  {
    rule: "machine-path",
    what: "a path of somebody's home",
    at: "docs/page.md:3",
    files: { "docs/page.md": `# Page\n\nSee ${["", "home", "karl", "notes"].join("/")}.\n` },
  },
  {
    rule: "machine-path",
    what: "a path of the machine it was written on",
    at: "examples/run.mjs:2",
    files: { "examples/run.mjs": `// Run.\nconst at = "${["", "root", "x"].join("/")}";\n` },
  },
  {
    rule: "lock-resolved",
    what: "a download address in the lock file",
    at: "package-lock.json:2",
    files: { "package-lock.json": '{\n  "resolved": "https://example.org/a.tgz"\n}\n' },
  },
];

const temporary = { folder: "" };

beforeAll(() => {
  temporary.folder = mkdtempSync(join(tmpdir(), "clawtools-house-"));
});

afterAll(() => rmSync(temporary.folder, { recursive: true }));

function plant(name: string, files: Files): string {
  const root = join(temporary.folder, name);
  for (const [path, text] of Object.entries({ ...CLEAN_TREE, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function runScript(...args: string[]): { status: number | null; lines: string[] } {
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: "utf8" });
  return { status, lines: stdout.trimEnd().split("\n") };
}

describe("check-house", () => {
  it("passes a clean tree and counts its files", () => {
    const lines = [`0 faults in ${Object.keys(CLEAN_TREE).length} files`];
    expect(runScript(plant("clean", {}))).toEqual({ status: 0, lines });
  });

  it("prints path, line, rule and message of each fault, sorted, and fails", () => {
    const root = plant("sorted", {
      "src/toolkit/two.ts": "// Two.\nlet b = 1;\n// HACK\n",
      "src/toolkit/one.ts": "// One.\n\n\nlet a = 1;\n",
    });
    const { status, lines } = runScript(root);
    const state = "module-state state lives in what a create function returns, not in the module";
    expect(lines).toEqual([
      `src/toolkit/one.ts:4 ${state}`,
      `src/toolkit/two.ts:2 ${state}`,
      'src/toolkit/two.ts:3 unfinished "HACK" marks unfinished work',
      `3 faults in ${Object.keys(CLEAN_TREE).length + 2} files`,
    ]);
    expect(status).toBe(1);
  });

  const titled = CASES.map((example) => [example.what, example] as const);
  it.for(titled)("catches %s", ([what, { rule, at, files }]) => {
    const { faults } = findFaults(plant(what.replaceAll(" ", "-"), files));
    expect(faults.map((fault) => `${fault.path}:${fault.line} ${fault.rule}`)).toEqual([
      `${at} ${rule}`,
    ]);
  });

  it("says what a tool id may be made of", () => {
    const { faults } = findFaults(plant("tool-id", { "src/tools/Read/more.ts": "// More.\n" }));
    expect(faults.map(({ message }) => message)).toEqual([
      '"Read" is not a tool id: a small letter, then small letters, digits, _ or -',
    ]);
  });

  it("passes this project", () => {
    expect(runScript().lines).toEqual([expect.stringMatching(/^0 faults in \d+ files$/)]);
  });
});
