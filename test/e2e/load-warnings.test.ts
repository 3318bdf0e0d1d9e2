// Claim 42: a program whose installation is damaged, or lacks the optional packages, learns of it.

import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DIST_DIR, PROJECT_DIR, runNodeWithin } from "../fakes/run-node.js";

const TIMEOUT_MS = 240_000;
const PROGRAM = `
import { createClawtools, createNodeBridge } from "clawtools";
const [root, ...calls] = process.argv.slice(2);
const warnings = [];
const { tools } = createClawtools({ tools: { onLoadWarning: (message) => warnings.push(message) } });
const ctx = { root, agentDir: root, bridge: createNodeBridge(root) };
const failed = [];
for (const call of calls) {
  const [name, params] = JSON.parse(call);
  const result = await tools.resolve(name, ctx).execute("call", params);
  failed.push(result.isError === true);
}
console.log(JSON.stringify({ warnings, failed, reported: tools.diagnostics().map(({ message }) => message) }));
process.exit(0);
`;

let folder = "";

function install(name: string, isDamaged: "damaged" | "whole"): string {
  const home = join(folder, name, "node_modules/clawtools");
  cpSync(DIST_DIR, join(home, "dist"), { recursive: true });
  cpSync(join(PROJECT_DIR, "package.json"), join(home, "package.json"));
  const chunks = join(home, "dist/chunks");
  for (const file of isDamaged === "damaged" ? readdirSync(chunks) : []) {
    if (file.startsWith("execute-")) rmSync(join(chunks, file));
  }
  writeFileSync(join(folder, name, "program.mjs"), PROGRAM);
  writeFileSync(join(folder, name, "MEMORY.md"), "The cat is called Tom.\n");
  return join(folder, name);
}

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "load-warnings-")));
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }), TIMEOUT_MS);

async function run(root: string, calls: readonly (readonly [string, object])[]) {
  const args = [join(root, "program.mjs"), root, ...calls.map((call) => JSON.stringify(call))];
  const env = { HOME: root, CLAWTOOLS_STATE_DIR: join(root, "state") };
  const { stdout } = await runNodeWithin(TIMEOUT_MS, { args, env });
  return JSON.parse(stdout);
}

describe("onLoadWarning", () => {
  it(
    "42 · is called when an implementation cannot be loaded",
    async () => {
      const root = install("damaged", "damaged");
      const answer = await run(root, [["read", { path: "MEMORY.md" }]]);
      expect(answer.failed).toEqual([true]);
      expect(answer.warnings).toEqual([
        expect.stringMatching(/^read could not be loaded: .*execute-/),
      ]);
      expect(answer.reported).toEqual(answer.warnings);
    },
    TIMEOUT_MS,
  );

  it(
    "42 · is called when an optional package cannot be loaded, and not for other failures",
    async () => {
      const root = install("bare", "whole");
      const answer = await run(root, [
        ["read", { path: "MEMORY.md" }],
        ["read", { path: "nowhere.md" }],
        ["memory_search", { query: "cat" }],
        ["exec", { command: "true", pty: true }],
      ]);
      expect(answer.failed).toEqual([false, true, true, true]);
      expect(answer.warnings).toEqual([
        expect.stringMatching(/^memory_search could not be loaded: .*@photostructure\/sqlite/),
        expect.stringMatching(/^exec could not be loaded: .*@lydell\/node-pty/),
      ]);
    },
    TIMEOUT_MS,
  );
});
