// Repositories whose settings name a program: what git runs by itself in each of them, and that nothing
// of it runs by a command that an allowlist let through.

import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { renderPlan } from "../../src/core/command/render.js";
import { createWorkspace, runGit, type Workspace } from "./exec-workspace.js";

const ENV = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" };
const ENTRIES = [
  { pattern: "git" },
  { pattern: "git", argPattern: "^(?:status|diff|log -p|show|ls-files)$" },
];

let workspace: Workspace;

beforeEach(() => {
  workspace = createWorkspace();
  workspace.git("init", "-q");
  workspace.git("add", ".");
  workspace.git("commit", "-qm", "first");
  workspace.write("notes.md", "the notes\nmore\n");
  workspace.git("commit", "-qam", "second");
  workspace.write("a.txt", "changed\n");
});

afterEach(() => workspace.remove());

type Trap = (canary: string) => void;

const set = (key: string) => (canary: string) => workspace.git("config", key, canary);
const withAttributes =
  (text: string, key: string): Trap =>
  (canary) => {
    set(key)(canary);
    workspace.write(".gitattributes", `* ${text}\n`);
    // A changed time makes git look at the content again.
    for (const name of ["b.txt", "data.csv"]) utimesSync(join(workspace.root, name), 1, 1);
  };
const hook: Trap = (canary) => {
  const file = join(workspace.root, ".git/hooks/post-index-change");
  mkdirSync(join(workspace.root, ".git/hooks"), { recursive: true });
  copyFileSync(canary, file);
  chmodSync(file, 0o755);
  utimesSync(join(workspace.root, "b.txt"), 1, 1);
};
const include: Trap = (canary) => {
  writeFileSync(join(workspace.root, "extra.ini"), `[core]\n\tfsmonitor = ${canary}\n`);
  workspace.git("config", "include.path", join(workspace.root, "extra.ini"));
};

const MATRIX: readonly (readonly [name: string, command: string, trap: Trap])[] = [
  ["core.fsmonitor", "git status", (canary) => set("core.fsmonitor")(canary)],
  ["core.fsmonitor", "git diff", (canary) => set("core.fsmonitor")(canary)],
  ["core.fsmonitor", "git ls-files", (canary) => set("core.fsmonitor")(canary)],
  ["filter.clean", "git status", withAttributes("filter=x", "filter.x.clean")],
  ["filter.clean", "git diff", withAttributes("filter=x", "filter.x.clean")],
  ["filter.process", "git status", withAttributes("filter=x", "filter.x.process")],
  ["diff.textconv", "git diff", withAttributes("diff=x", "diff.x.textconv")],
  ["diff.textconv", "git log -p", withAttributes("diff=x", "diff.x.textconv")],
  ["diff.textconv", "git show", withAttributes("diff=x", "diff.x.textconv")],
  ["diff.external", "git diff", (canary) => set("diff.external")(canary)],
  ["diff.command", "git diff", withAttributes("diff=x", "diff.x.command")],
  ["hook post-index-change", "git status", hook],
  ["include.path", "git status", include],
];

function runAllowed(text: string): void {
  spawnSync("/bin/bash", ["--noprofile", "--norc", "-p", "-c", text], {
    cwd: workspace.root,
    env: ENV,
  });
}

describe("a repository that sets", () => {
  it.each(MATRIX)(
    "%s runs nothing by an allowed %s, and does by a plain one",
    async (_, command, trap) => {
      trap(workspace.canary);
      const decision = await workspace.decide(command, ENTRIES);
      const planned = await workspace.plan(command);
      if (!planned.ok) expect.fail(planned.refusal.message);
      if (decision.outcome === "allow") runAllowed(renderPlan(planned.plan));
      expect(workspace.canaryRan()).toBe(false);
      runAllowed(command);
      expect(workspace.canaryRan()).toBe(true);
    },
  );

  it.each([
    "core.worktree",
    "remote.origin.promisor",
    "remote.origin.uploadpack",
    "gpg.program",
    "alias.status",
    "core.sshCommand",
    "extensions.partialClone",
    "lfs.extension.x.clean",
    "core.editor",
    "merge.x.driver",
  ])("%s is asked about, by name", async (key) => {
    // Some of these would make git itself refuse, so they are written last.
    workspace.git("config", key, "/nonexistent");
    const { outcome, message } = await workspace.decide("git log");
    expect(outcome).toBe("deny");
    if (key !== "core.worktree" && key !== "extensions.partialClone") {
      expect(message).toContain(key.toLowerCase());
    }
  });

  it("only what describes it is let through, with the words that were added shown", async () => {
    workspace.git("config", "user.email", "me@example.com");
    workspace.git("remote", "add", "origin", "https://example.com/x.git");
    expect(await workspace.decide("git status")).toMatchObject({ outcome: "allow" });
    const planned = await workspace.plan("git status");
    if (!planned.ok) expect.fail(planned.refusal.message);
    expect(planned.plan.steps[0]?.facts?.added).toContain("core.fsmonitor=false");
    expect(planned.plan.steps[0]?.argv).toContain("--no-optional-locks");
  });
});

describe("a folder that is no repository of the root", () => {
  it("is not asked by git: without one, with one above, with a bare one inside", async () => {
    rmSync(join(workspace.root, ".git"), { recursive: true });
    expect(await workspace.decide("git status")).toMatchObject({ outcome: "deny" });
    runGit(workspace.place, ["init", "-q"]);
    expect(await workspace.decide("git status")).toMatchObject({ outcome: "deny" });
    rmSync(join(workspace.place, ".git"), { recursive: true });
    runGit(workspace.root, ["init", "-q", "--bare", "sub"]);
    runGit(join(workspace.root, "sub"), ["config", "core.fsmonitor", workspace.canary]);
    runGit(join(workspace.root, "sub"), ["config", "core.bare", "false"]);
    runGit(join(workspace.root, "sub"), ["config", "core.worktree", ".."]);
    expect(await workspace.decide("cd sub && git status")).toMatchObject({ outcome: "deny" });
    expect(workspace.canaryRan()).toBe(false);
  });

  it("is not asked when its .git leads out of the root", async () => {
    rmSync(join(workspace.root, ".git"), { recursive: true });
    mkdirSync(join(workspace.place, "elsewhere"));
    runGit(workspace.root, ["init", "-q", `--separate-git-dir=${workspace.place}/elsewhere/git`]);
    expect(await workspace.decide("git status")).toMatchObject({ outcome: "deny" });
  });
});
