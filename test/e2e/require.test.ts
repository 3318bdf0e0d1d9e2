// The built package as another project gets it: every door opens with `import` and with `require`,
// and both give the same names.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertBuilt, PROJECT_DIR } from "../fakes/run-node.js";

const DOORS = [
  "clawtools",
  "clawtools/tools",
  "clawtools/connectors",
  "clawtools/plugins",
  "clawtools/mcp",
  "clawtools/adapters",
  "clawtools/gateway",
  "clawtools/agent",
  "clawtools/testing",
];
const KNOWN_NAMES: Readonly<Record<string, string>> = {
  clawtools: "createClawtools",
  "clawtools/tools": "ToolRegistry",
  "clawtools/connectors": "ConnectorRegistry",
  "clawtools/mcp": "serveMcp",
  "clawtools/gateway": "createGateway",
  "clawtools/adapters": "toAISDK",
  "clawtools/agent": "createAgent",
  "clawtools/plugins": "loadPlugins",
  "clawtools/testing": "createMemoryBridge",
};

let folder = "";

beforeAll(async () => {
  await assertBuilt();
  folder = mkdtempSync(join(tmpdir(), "clawtools-require-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PROJECT_DIR, join(folder, "node_modules", "clawtools"), "dir");
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What the program prints, read as JSON. */
function run(name: string, program: string): unknown {
  writeFileSync(join(folder, name), program);
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const output = execFileSync(process.execPath, [name], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  return JSON.parse(output);
}

describe.each(DOORS)("%s", (door) => {
  it("gives the same names to import and to require", () => {
    const names = "console.log(JSON.stringify(Object.keys(door).sort()));\n";
    const imported = run("import.mjs", `import * as door from "${door}";\n${names}`);
    expect(imported).toContain(KNOWN_NAMES[door]);
    expect(run("require.cjs", `const door = require("${door}");\n${names}`)).toEqual(imported);
  });
});

it("the doors are all of package.json, and a required tool runs", () => {
  const { exports } = JSON.parse(readFileSync(join(PROJECT_DIR, "package.json"), "utf8"));
  const doors = Object.keys(exports).filter((path) => path !== "./package.json");
  expect(doors.map((path) => path.replace(".", "clawtools"))).toEqual(DOORS);
  const program = `const { createClawtools, createNodeBridge } = require("clawtools");
const root = __dirname;
const read = createClawtools().tools.resolve("read", { root, bridge: createNodeBridge(root) });
read.execute("call_1", { path: "call.cjs", limit: 1 }).then((result) => console.log(JSON.stringify(result.details)));
`;
  expect(run("call.cjs", program)).toMatchObject({ path: "call.cjs", lines: 1, truncated: true });
});
