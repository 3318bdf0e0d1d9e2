// The ordinary commands run for real: from the plan and by a plain bash, side by side in two equal
// folders, with equal output and equal status.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { renderPlan, toSearchPath } from "../../src/core/command/plan.js";
import ordinary from "../data/ordinary-commands.json" with { type: "json" };
import { campaignSize } from "../fakes/campaign.js";
import { createWorkspace, runGit, type Workspace } from "./exec-workspace.js";

const TIMEOUT_MS = 240_000;
/** The slice takes every fifth row: neighbours in the list are of one kind. */
const STEP = campaignSize({ slice: 5, campaign: 1 });
/** Lists with times in them, which differ from folder to folder. */
const HAS_TIMES = /ls -la|date/;
/** Messages name the program: by its path from the plan, else by its name or that of the shell. */
const SPEAKER = /\/usr\/bin\/|^\S*bash: line \d+: /gm;

let planned: Workspace;
let plain: Workspace;

beforeEach(() => {
  planned = createWorkspace();
  plain = createWorkspace();
  for (const { root } of [planned, plain]) runGit(root, ["init", "-q"]);
});

afterEach(() => {
  for (const workspace of [planned, plain]) workspace.remove();
});

function runIn(workspace: Workspace, text: string): string {
  const { root, place } = workspace;
  const env = {
    PATH: toSearchPath({ root }).join(":"),
    HOME: place,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const { stdout, status } = spawnSync("/bin/bash", ["--noprofile", "--norc", "-p", "-c", text], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  return `${status}\n${stdout}`.replaceAll(place, "").replace(SPEAKER, "");
}

function contentOf(root: string): string {
  const names = readdirSync(root).filter((name) => statSync(join(root, name)).isFile());
  const texts = names.sort().map((name) => `${name}: ${readFileSync(join(root, name), "utf8")}`);
  return texts
    .join("\n")
    .replaceAll(/exec-plan-\w+/g, "")
    .replace(SPEAKER, "");
}

it(
  "every ordinary command that is allowed does from its plan what bash does",
  async () => {
    const different: string[] = [];
    const rows = ordinary
      .filter((row) => row.hostAuto && !HAS_TIMES.test(row.command))
      .filter((_row, index) => index % STEP === 0);
    expect(rows.length).toBeGreaterThan(10);
    for (const { id, command } of rows) {
      const result = await planned.plan(command);
      if (!result.ok) expect.fail(`${id}: ${result.refusal.message}`);
      const ours = runIn(planned, renderPlan(result.plan));
      const theirs = runIn(plain, command);
      if (ours !== theirs) different.push(`${id} ${command}\n${ours}\n--- bash ---\n${theirs}`);
    }
    expect(different).toEqual([]);
    expect(contentOf(planned.root)).toBe(contentOf(plain.root));
  },
  TIMEOUT_MS,
);
