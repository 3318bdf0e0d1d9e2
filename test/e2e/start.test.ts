// `npm start` after its set-up: every tool, and for each that cannot run here the reason why.
import { createClawtools, createNodeBridge, getToolCatalog } from "clawtools";
import { beforeAll, describe, expect, it } from "vitest";
import { type NodeRun, PROJECT_DIR, runNode } from "../fakes/run-node.js";

const MAX_COLUMNS = 80;

describe("scripts/start.mjs", () => {
  let run: NodeRun;
  beforeAll(async () => {
    run = await runNode(["scripts/start.mjs"]);
  });

  it("ends well and complains of nothing", () => {
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it("shows all 27 tools, each on a line of its own with its mark", () => {
    const { stdout } = run;
    const shown = [...stdout.matchAll(/^ {2}[✓·] (\S+) /gmu)].map(([, id]) => id);
    expect(shown.sort()).toEqual(
      getToolCatalog()
        .map(({ id }) => id)
        .sort(),
    );
    expect(shown).toHaveLength(27);
  });

  it("says below each tool that is not ready why it is not", () => {
    const { stdout } = run;
    const lines = stdout.split("\n");
    const { tools } = createClawtools({ catalog: "all" });
    const ctx = { root: PROJECT_DIR, bridge: createNodeBridge(PROJECT_DIR) };
    const rows = tools.explain(ctx);
    expect(rows.filter(({ code }) => code === "ready").length).toBeGreaterThan(0);
    for (const { id, code, reason } of rows) {
      const at = lines.findIndex((line) =>
        line.startsWith(`  ${code === "ready" ? "✓" : "·"} ${id} `),
      );
      expect(at, id).toBeGreaterThan(-1);
      const rest = lines.slice(at + 1);
      const below = rest.slice(
        0,
        rest.findIndex((line) => !/^ {5,}\S/.test(line)),
      );
      const said = below.map((line) => line.trim()).join(" ");
      expect(said, id).toBe(code === "ready" ? "" : reason);
    }
  });

  it(`keeps within ${MAX_COLUMNS} columns where there is no terminal`, () => {
    const { stdout } = run;
    const tooLong = stdout.split("\n").filter((line) => [...line].length > MAX_COLUMNS);
    expect(tooLong).toEqual([]);
  });

  it("says what to try next", () => {
    const { stdout } = run;
    expect(stdout).toContain("node examples/read-a-file.mjs");
  });
});
