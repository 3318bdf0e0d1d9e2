// Repositories whose settings name a program: what git runs by itself in each of them, and that nothing
// of it runs by a command that an allowlist let through.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from "vitest";
import { renderPlan } from "../../src/core/command/plan.js";
import { sampleRows } from "../fakes/campaign.js";
import { createWorkspace, runGit, type Workspace } from "./exec-workspace.js";

const ENV = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" };
const ENTRIES = [
  { pattern: "git" },
  { pattern: "git", argPattern: "^(?:status|diff|log -p|show|ls-files)$" },
];

let workspace: Workspace;
/** Made once: a repository with a past, and the same with another one in it. */
let plain: Workspace;
let nested: Workspace;

beforeAll(() => {
  plain = createWorkspace();
  // Without the samples of hooks that nothing here looks at.
  plain.git("init", "-q", "--template=");
  plain.git("add", ".");
  plain.git("commit", "-qm", "first");
  plain.write("notes.md", "the notes\nmore\n");
  plain.git("commit", "-qam", "second");
  plain.write("a.txt", "changed\n");
  nested = createWorkspace();
  copyInto(nested, plain);
  addSubmodule(nested);
});

afterAll(() => {
  for (const { remove } of [plain, nested]) remove();
});

beforeEach(() => {
  workspace = createWorkspace();
  copyInto(workspace, plain);
});

afterEach(() => workspace.remove());

function copyInto({ root }: Workspace, from: Workspace): void {
  cpSync(from.root, root, { recursive: true });
}

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
  it.each(sampleRows(MATRIX, 3))(
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

  it.each(
    sampleRows(
      [
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
      ],
      3,
    ),
  )("%s is asked about, by name", async (key) => {
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

function addSubmodule({ place, git }: Workspace): void {
  const other = join(place, "other");
  mkdirSync(other);
  writeFileSync(join(other, "file"), "x\n");
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "x"],
  ])
    runGit(other, args);
  git("-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "part");
  git("commit", "-qam", "third");
  git("tag", "v1");
}

/** A repository inside of another, whose own settings name a program. */
function setTrapInside(): void {
  const { root, canary } = workspace;
  copyInto(workspace, nested);
  runGit(join(root, "part"), ["config", "core.fsmonitor", canary]);
}

describe("what git starts that no setting of the repository names", () => {
  it("describe --dirty looks into submodules, so it is not covered", async () => {
    setTrapInside();
    const command = "git describe --tags --dirty";
    expect(await workspace.decide(command)).toMatchObject({ outcome: "deny" });
    expect(await workspace.decide("git describe --tags")).toMatchObject({ outcome: "allow" });
    runAllowed(command);
    expect(workspace.canaryRan()).toBe(true);
  });

  it.each(
    sampleRows(
      ["status", "diff", "diff HEAD", "log -p", "show", "ls-files -m", "grep x", "stash list"],
      3,
    ),
  )("git %s leaves a submodule alone", async (question) => {
    setTrapInside();
    const command = `git ${question}`;
    expect(await workspace.decide(command)).toMatchObject({ outcome: "allow" });
    const planned = await workspace.plan(command);
    if (!planned.ok) expect.fail(planned.refusal.message);
    runAllowed(renderPlan(planned.plan));
    expect(workspace.canaryRan()).toBe(false);
  });

  it.each(
    sampleRows(
      [
        "git log --format=%G?",
        "git log --format=%+G?",
        "git log --format='% GS'",
        "git log --pretty=format:%-GK",
        "git for-each-ref --format='%(*signature)'",
        "git for-each-ref --sort=signature:grade",
        "git branch --sort=-signature",
        "git status -v",
        "git status -sv",
        "git status --verbose",
        "git log --diff-merges=remerge",
        "git --help",
        "git help",
      ],
      3,
    ),
  )("%s is not covered", async (command) => {
    expect(await workspace.decide(command)).toMatchObject({ outcome: "deny" });
    expect(await workspace.decide("git log --format=%H --grep=signature")).toMatchObject({
      outcome: "allow",
    });
  });

  it("a filter of the user is not chosen by the repository, but for the usual one", async () => {
    const home = join(workspace.place, "home");
    mkdirSync(home);
    vi.stubEnv("HOME", home);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    writeFileSync(join(home, ".gitconfig"), '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n');
    expect(await workspace.decide("git status")).toMatchObject({ outcome: "allow" });
    writeFileSync(join(home, ".gitconfig"), `[filter "x"]\n\tclean = ${workspace.canary}\n`);
    const { outcome, message } = await workspace.decide("git status");
    expect(outcome).toBe("deny");
    expect(message).toContain("filter.x.clean");
  });
});

describe("a repository that takes objects from elsewhere", () => {
  it.each(["info/alternates", "pack/pack-1.pack", "ab"])("by %s is not shown", async (name) => {
    const objects = join(workspace.root, ".git/objects");
    expect(await workspace.decide("git show")).toMatchObject({ outcome: "allow" });
    mkdirSync(join(objects, "info"), { recursive: true });
    if (name.startsWith("info")) writeFileSync(join(objects, name), "/srv/other/objects\n");
    else {
      rmSync(join(objects, name), { recursive: true, force: true });
      symlinkSync("/srv/other", join(objects, name));
    }
    const { outcome, message } = await workspace.decide("git show");
    expect(outcome).toBe("deny");
    expect(message).toContain("takes objects from another place");
  });
});

describe("a repository with links", () => {
  const SECRET = "the secret\n";
  const linkTo = (target: string, name: string) => {
    const link = join(workspace.root, ".git", name);
    rmSync(link, { recursive: true, force: true });
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  };

  it.each([
    ["info/grafts", "git log"],
    ["shallow", "git log"],
    ["packed-refs", "git branch"],
    ["rebase-merge/git-rebase-todo", "git status"],
    ["rebase-merge/done", "git status"],
    ["rebase-apply/onto", "git status"],
    ["info/exclude", "git status"],
    ["refs/heads/deep/er", "git branch"],
    ["logs/HEAD", "git log"],
    ["objects/info/commit-graph", "git log"],
    ["worktrees/other/gitdir", "git log"],
  ])("%s out of the root is asked about, by name: %s", async (name, command) => {
    const secret = join(workspace.place, "secret");
    writeFileSync(secret, SECRET);
    expect(await workspace.decide(command)).toMatchObject({ outcome: "allow" });
    linkTo(secret, name);
    const { outcome, message } = await workspace.decide(command);
    expect(outcome).toBe("deny");
    expect(message).toContain(name);
    expect(await workspace.decide(command, [{ pattern: "git", argPattern: ".*" }])).toMatchObject({
      outcome: "deny",
    });
  });

  it("out of the root by a folder in between, or to nothing yet, is asked about", async () => {
    writeFileSync(join(workspace.place, "secret"), SECRET);
    mkdirSync(join(workspace.root, "between"));
    symlinkSync(join(workspace.place, "secret"), join(workspace.root, "between/grafts"));
    linkTo("../between", "info");
    expect(await workspace.decide("git log")).toMatchObject({ outcome: "deny" });
    rmSync(join(workspace.root, ".git/info"));
    expect(await workspace.decide("git log")).toMatchObject({ outcome: "allow" });
    linkTo(join(workspace.place, "later"), "shallow");
    expect(await workspace.decide("git log")).toMatchObject({ outcome: "deny" });
  });

  it("that stay inside of the root is looked at as before", async () => {
    workspace.write("scripts/pre-commit", "#!/bin/sh\n");
    linkTo("../../scripts/pre-commit", "hooks/pre-commit");
    linkTo("../refs/heads", "refs/others");
    mkdirSync(join(workspace.root, ".git/lfs/objects"), { recursive: true });
    expect(await workspace.decide("git log")).toMatchObject({ outcome: "allow" });
  });

  it("with more names than are looked at is asked about", async () => {
    const many = join(workspace.root, ".git/refs/many");
    mkdirSync(many);
    // Further names of one file: as many, and sooner made and removed.
    writeFileSync(join(many, "0"), "");
    for (let count = 1; count <= 10_000; count++) linkSync(join(many, "0"), join(many, `${count}`));
    const { outcome, message } = await workspace.decide("git log");
    expect(outcome).toBe("deny");
    expect(message).toContain("more names");
  });
});

describe("lists", () => {
  it.each(
    sampleRows(
      [
        "git tag -l 'v1*'",
        "git tag --list 'v*' --sort=-v:refname",
        "git branch --list 'feat/*'",
        "git branch --merged",
        "git branch --no-merged main",
        "git reflog -5",
        "git reflog show HEAD",
        "git worktree list",
        "git symbolic-ref --short HEAD",
        "git name-rev HEAD",
      ],
      3,
    ),
  )("%s passes", async (command) => {
    expect(await workspace.decide(command)).toMatchObject({ outcome: "allow" });
  });

  it.each(
    sampleRows(
      [
        "git tag 'v1*'",
        "git tag -l -d v1",
        "git branch --list -D x",
        "git branch --merged -D x",
        "git branch -l x",
        "git reflog expire --all",
        "git reflog --all expire",
        "git reflog delete HEAD@1",
        "git worktree add x",
        "git symbolic-ref HEAD refs/heads/x",
        "git symbolic-ref -d HEAD",
        "git -C src status",
      ],
      3,
    ),
  )("%s does not", async (command) => {
    expect(await workspace.decide(command)).toMatchObject({ outcome: "deny" });
  });
});

describe("an index with names that lead out of the root", () => {
  beforeEach(() => {
    writeFileSync(join(workspace.place, "secret.txt"), "secret\n");
    workspace.write("xx/secret.txt", "harmless\n");
    workspace.git("add", ".");
  });

  /** git refuses to make such an index, and reads it all the same. */
  const rename = (from: string, to: string) => {
    const file = join(workspace.root, ".git/index");
    const bytes = readFileSync(file);
    bytes.write(to, bytes.indexOf(from));
    const body = bytes.subarray(0, -20);
    writeFileSync(file, Buffer.concat([body, createHash("sha1").update(body).digest()]));
  };

  it.each(["git diff", "git grep secret", "cd src && git grep secret", "git diff -- ."])(
    "by dots, is not read by %s",
    async (command) => {
      expect(await workspace.decide(command)).toMatchObject({ outcome: "allow" });
      rename("xx/secret.txt", "../secret.txt");
      const { outcome, message } = await workspace.decide(command);
      expect(outcome).toBe("deny");
      expect(message).toContain('"../secret.txt"');
    },
  );

  it("by a folder that is a link now, is not read by git grep", async () => {
    rmSync(join(workspace.root, "xx"), { recursive: true });
    symlinkSync(workspace.place, join(workspace.root, "xx"));
    const { outcome, message } = await workspace.decide("git grep secret");
    expect(outcome).toBe("deny");
    expect(message).toContain('"xx/secret.txt"');
  });

  it("but by a link that stays inside it is", async () => {
    rmSync(join(workspace.root, "xx"), { recursive: true });
    symlinkSync("src", join(workspace.root, "xx"));
    expect(await workspace.decide("git grep secret")).toMatchObject({ outcome: "allow" });
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
