// `npm start` after its set-up: every tool, and for each that cannot run here the reason why.
import { createClawtools, createNodeBridge, getToolCatalog } from "clawtools";
import { beforeAll, describe, expect, it } from "vitest";
import { type NodeRun, PROJECT_DIR, runNode } from "../fakes/run-node.js";

const MAX_COLUMNS = 80;
/** A mark, an id and a text that may go on in the lines below. */
const TOOL_LINE = /^ {2}([✓·]) (\S+) +(\S.*(?:\n {5,}\S.*)*)/gmu;

describe("scripts/start.mjs", () => {
  let run: NodeRun;
  beforeAll(async () => {
    run = await runNode(["scripts/start.mjs"]);
  });

  it("ends well and complains of nothing", () => {
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it("shows every tool once, each on a line of its own with its mark", () => {
    const shown = [...run.stdout.matchAll(TOOL_LINE)].map(([, , id]) => id);
    const known = getToolCatalog().map(({ id }) => id);
    expect(shown.sort()).toEqual(known.sort());
  });

  it("says beside each tool what it does, or why it is not ready", () => {
    const { tools } = createClawtools({ catalog: "all" });
    const ctx = { root: PROJECT_DIR, bridge: createNodeBridge(PROJECT_DIR) };
    const rows = tools.explain(ctx);
    expect(rows.filter(({ code }) => code === "ready").length).toBeGreaterThan(0);
    const descriptions = new Map(tools.list().map(({ id, description }) => [id, description]));
    const shown = new Map(
      [...run.stdout.matchAll(TOOL_LINE)].map(([, mark, id, text = ""]) => [
        id,
        { mark, said: text.replace(/\s+/g, " ") },
      ]),
    );
    for (const { id, code, reason } of rows) {
      const ready = code === "ready";
      const said = ready ? descriptions.get(id) : reason.replace(/^not built yet; /, "");
      expect(shown.get(id), id).toEqual({ mark: ready ? "✓" : "·", said });
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
