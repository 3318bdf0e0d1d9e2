// Git in the sandbox: the usual work goes on, and nothing is left for the next git outside to run.

import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runGit } from "./exec-workspace.js";
import { createSandboxToolkits, execOf, triesOf } from "./sandbox-toolkit.js";

const { makeFolder, open: openToolkit } = createSandboxToolkits();
const open = (root: string) => execOf(openToolkit({ root }));

function makeRepository(): string {
  const root = makeFolder();
  runGit(root, ["init", "-q"]);
  writeFileSync(join(root, "a.txt"), "a\n");
  runGit(root, ["add", "."]);
  runGit(root, ["commit", "-qm", "first"]);
  return root;
}

const NAMED = "git -c user.name=A -c user.email=a@example.com";
const HOOK = "printf '#!/bin/sh\\ntouch ../ran\\n'";

/** What the owner does next, outside. */
function useOutside(root: string): void {
  runGit(root, ["status"]);
  writeFileSync(join(root, "outside.txt"), "x\n");
  runGit(root, ["add", "outside.txt"]);
  runGit(root, ["commit", "-qm", "outside"]);
}

describe("the usual work", () => {
  it("adds, commits, branches, stashes, checks out, merges and tags", async () => {
    const root = makeRepository();
    const exec = open(root);
    const { text } = await exec(
      [
        "set -e",
        "echo b > b.txt && git add b.txt",
        `${NAMED} commit -qm second`,
        "git branch side && git checkout -q side",
        `echo c > c.txt && git add c.txt && ${NAMED} commit -qm third`,
        `echo d >> a.txt && ${NAMED} stash -q && ${NAMED} stash pop -q && git checkout -q -- a.txt`,
        "git checkout -q - && git merge -q side && git tag v1",
        `git rm -q c.txt && ${NAMED} commit -qm fourth && git reset -q --hard HEAD~1`,
        "git gc -q && git status --short && git log --format=%s",
      ].join("\n"),
    );
    expect(text.trim()).toBe("third\nsecond\nfirst");
    useOutside(root);
  });

  it("begins a repository where there is none", async () => {
    const root = makeFolder();
    const { text } = await open(root)(
      `git init -q && echo a > a && git add a && ${NAMED} commit -qm x && git log --format=%s`,
    );
    expect(text.trim()).toBe("x");
  });
});

describe("what git runs by", () => {
  const plant = [
    "echo x >> .git/config",
    "mv .git/config .git/c2",
    `${HOOK} > .git/hooks/pre-commit`,
    "rm -rf .git/hooks && mkdir .git/hooks",
    "mv .git/hooks .git/h2",
    "mv .git git2",
    "rm -f .git",
  ];

  it("cannot be changed where hooks are missing", async () => {
    const root = makeRepository();
    rmSync(join(root, ".git/hooks"), { recursive: true });
    const { text } = await open(root)(triesOf([...plant, "mkdir .git/hooks"]));
    expect(text.trim()).toBe("tried");
    expect(existsSync(join(root, ".git/hooks/pre-commit"))).toBe(false);
  });

  it("cannot be changed where hooks are a link, and nothing else of the repository", async () => {
    const root = makeRepository();
    renameSync(join(root, ".git/hooks"), join(root, "my-hooks"));
    symlinkSync("../my-hooks", join(root, ".git/hooks"));
    const { text } = await open(root)(
      triesOf([
        ...plant,
        "rm .git/hooks",
        ": > my-hooks/pre-commit",
        "mv my-hooks x",
        ": > .git/new",
      ]),
    );
    expect(text.trim()).toBe("tried");
    expect(lstatSync(join(root, ".git/hooks")).isSymbolicLink()).toBe(true);
    expect((await open(root)("git log --format=%s")).text.trim()).toBe("first");
  });

  it("cannot be changed where the settings are a link", async () => {
    const root = makeRepository();
    renameSync(join(root, ".git/config"), join(root, "settings"));
    symlinkSync("../settings", join(root, ".git/config"));
    const { text } = await open(root)(triesOf([...plant, "rm .git/config", "echo x >> settings"]));
    expect(text.trim()).toBe("tried");
  });

  it("has no sandbox where the repository is a link", async () => {
    const root = makeRepository();
    renameSync(join(root, ".git"), join(root, "real"));
    symlinkSync("real", join(root, ".git"));
    const { text, reason } = await open(root)("rm .git; git init");
    expect(reason).toBe("sandbox_unavailable");
    expect(text).toContain("is a link");
  });

  it("cannot be changed in the repository that a file names", async () => {
    const root = makeRepository();
    mkdirSync(join(root, "in"));
    renameSync(join(root, ".git"), join(root, "in/bare"));
    writeFileSync(join(root, ".git"), "gitdir: in/bare\n");
    const exec = open(root);
    const { text } = await exec(
      triesOf([
        "echo x > .git",
        "rm -f .git",
        "echo x >> in/bare/config",
        ": > in/bare/hooks/pre-commit",
        "mv in/bare in/x",
        "mv in x",
      ]),
    );
    expect(text.trim()).toBe("tried");
    const work = await exec(`echo b > b && git add b && ${NAMED} commit -qm second && echo fine`);
    expect(work.text.trim()).toBe("fine");
  });

  it("cannot be changed in the repositories of submodules and work trees", async () => {
    const root = makeRepository();
    for (const name of ["modules/sub", "worktrees/tree"]) {
      mkdirSync(join(root, ".git", name), { recursive: true });
      writeFileSync(join(root, ".git", name, "config"), "");
    }
    const { text } = await open(root)(
      triesOf([
        "echo x >> .git/modules/sub/config",
        "mkdir .git/modules/sub/hooks",
        "mv .git/modules .git/x",
        "echo x > .git/worktrees/tree/commondir",
      ]),
    );
    expect(text.trim()).toBe("tried");
  });

  it("is not found elsewhere: a way there has another name when the command has ended, and that is told", async () => {
    const root = makeRepository();
    const { text } = await open(root)(
      [
        "cp -r .git evil && rm -rf evil/hooks && mkdir evil/hooks",
        `${HOOK} > evil/hooks/pre-commit && chmod +x evil/hooks/pre-commit`,
        "echo ../evil > .git/commondir && echo planted",
      ].join("\n"),
    );
    expect(text).toContain("planted");
    const [, newName = ""] = /is called "([^"]+)" there now/.exec(text) ?? [];
    expect(existsSync(join(root, ".git/commondir"))).toBe(false);
    expect(readFileSync(join(root, ".git", newName), "utf8")).toBe("../evil\n");
    useOutside(root);
    expect(existsSync(join(root, "../ran"))).toBe(false);
    expect(existsSync(join(root, "ran"))).toBe(false);
  });

  it("is not found elsewhere while a command still runs", async () => {
    const root = makeRepository();
    const { text } = await open(root)(
      "echo ../evil > .git/commondir; for i in $(seq 200); do [ -e .git/commondir ] || break; sleep 0.05; done; [ -e .git/commondir ] || echo gone",
    );
    expect(text).toContain("gone");
  });

  it("stops commands when a way elsewhere is found before they start", async () => {
    const root = makeRepository();
    const exec = open(root);
    await exec("true");
    writeFileSync(join(root, ".git/commondir"), "../evil\n");
    expect(await exec("echo ran")).toMatchObject({ reason: "launch_failed" });
  });

  it("stays as it was", async () => {
    const root = makeRepository();
    const before = readFileSync(join(root, ".git/config"), "utf8");
    const names = () => execFileSync("find", [".git", "-maxdepth", "1"], { cwd: root }).toString();
    const listed = names();
    const { text } = await open(root)(triesOf(plant));
    expect(text.trim()).toBe("tried");
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe(before);
    expect(names()).toBe(listed);
  });
});
