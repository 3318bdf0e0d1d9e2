// Hooks that are kept among the files of the workspace: what links in the folder of hooks lead to
// cannot be changed in the sandbox, and what cannot be held is told.

import {
  chmodSync,
  lchownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Toolkit } from "clawtools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runGit } from "./exec-workspace.js";
import { createSandboxRunner, USER_ID } from "./sandbox-run.js";
import { createSandboxToolkits } from "./sandbox-toolkit.js";

const { makeFolder, open: openToolkit } = createSandboxToolkits();
const open = (root: string) => openToolkit({ root });
let runner: Awaited<ReturnType<typeof createSandboxRunner>>;

beforeAll(async () => {
  runner = await createSandboxRunner();
});
afterAll(() => runner.remove());
/** Of an ordinary user, with a hook that leads there. */
function makeUserRepository(target: string) {
  const place = runner.makePlace("a user");
  const { root } = place;
  for (const folder of [".git", ".git/hooks", ".git/objects", ".git/refs", "scripts"]) {
    mkdirSync(join(root, folder));
  }
  writeFileSync(join(root, ".git/config"), "");
  writeFileSync(join(root, "scripts/pre-commit"), "#!/bin/sh\n");
  symlinkSync(target, join(root, ".git/hooks/pre-commit"));
  if (process.getuid?.() === 0) {
    for (const path of ["", ...readdirSync(root, { recursive: true, encoding: "utf8" })]) {
      lchownSync(join(root, path), USER_ID, USER_ID);
    }
  }
  return place;
}

/** With a script that a hook may lead to. */
function makeRepository(): string {
  const root = makeFolder();
  runGit(root, ["init", "-q"]);
  mkdirSync(join(root, ".git/hooks"), { recursive: true });
  mkdirSync(join(root, "scripts"));
  writeFileSync(join(root, "scripts/pre-commit"), "#!/bin/sh\n");
  return root;
}

async function run(toolkit: Toolkit, command: string): Promise<string> {
  const result = await toolkit.invoke({ id: "call", name: "exec", arguments: { command } });
  return result.content.map((part) => ("text" in part ? part.text : "")).join("\n");
}

async function warningsOf(toolkit: Toolkit): Promise<string> {
  return (await toolkit.commandFacts()).warnings.join("\n");
}

const CHANGES = [
  "echo planted >> scripts/pre-commit",
  "rm -f scripts/pre-commit",
  "mv scripts/pre-commit scripts/x",
  "echo planted > scripts/new && mv scripts/new scripts/pre-commit",
  "mv scripts other",
];
const tries = [
  ...CHANGES.map((one) => `( ${one} ) >/dev/null 2>&1 && echo 'done: ${one}'`),
  "echo more > scripts/beside",
  "echo tried",
].join("; ");

describe("a hook that is a link", () => {
  it("leads to a file that cannot be changed, among others that can", async () => {
    const root = makeRepository();
    symlinkSync("../../scripts/pre-commit", join(root, ".git/hooks/pre-commit"));
    const toolkit = open(root);
    expect((await run(toolkit, tries)).trim()).toBe("tried");
    expect(readFileSync(join(root, "scripts/pre-commit"), "utf8")).toBe("#!/bin/sh\n");
    expect(readFileSync(join(root, "scripts/beside"), "utf8")).toBe("more\n");
    expect(await warningsOf(toolkit)).not.toContain("hook");
  });

  it("does so where the folder of hooks is a link too", async () => {
    const root = makeRepository();
    renameSync(join(root, ".git/hooks"), join(root, "my-hooks"));
    symlinkSync("../my-hooks", join(root, ".git/hooks"));
    symlinkSync("../scripts/pre-commit", join(root, "my-hooks/pre-commit"));
    expect((await run(open(root), tries)).trim()).toBe("tried");
  });

  it("is told when there is a further link on the way, or nothing at its end", async () => {
    const root = makeRepository();
    symlinkSync("pre-commit", join(root, "scripts/next"));
    symlinkSync("../../scripts/next", join(root, ".git/hooks/pre-commit"));
    symlinkSync("../../scripts/later", join(root, ".git/hooks/pre-push"));
    const warnings = await warningsOf(open(root));
    expect(warnings).toContain(`leads to "${join(root, "scripts/next")}"`);
    expect(warnings).toContain(`leads to "${join(root, "scripts/later")}"`);
  });

  it("holds nothing when it leads to a folder or out of the workspace", async () => {
    const root = makeRepository();
    symlinkSync("../..", join(root, ".git/hooks/a"));
    symlinkSync("../../scripts", join(root, ".git/hooks/b"));
    symlinkSync(makeFolder(), join(root, ".git/hooks/c"));
    symlinkSync("d", join(root, ".git/hooks/d"));
    const toolkit = open(root);
    expect((await run(toolkit, "echo x > scripts/pre-commit && echo fine")).trim()).toBe("fine");
  });
});

describe("a hook whose way may not be looked at", () => {
  it("is left alone where that is outside of the workspace", async () => {
    const { root, home } = makeUserRepository(`/proc/1/root/none`);
    const { outputs } = await runner.run("a user", {
      root,
      home,
      containment: "sandbox",
      commands: ["echo fine"],
    });
    expect(outputs).toEqual(["fine\n"]);
  });

  it("stops commands where a command took the rights away, instead of letting it write then", async () => {
    const { root, home } = makeUserRepository("../../scripts/pre-commit");
    const order = { root, home, containment: "sandbox" } as const;
    const taken = { ...order, commands: ["chmod 000 scripts", "chmod 755 scripts"] };
    await expect(runner.run("a user", taken)).rejects.toThrow(/scripts.* cannot be looked at/);
    chmodSync(join(root, "scripts"), 0o755);
  });
});

describe("what has a second name", () => {
  it("is told, whether hook, settings or what a hook leads to", async () => {
    const root = makeRepository();
    linkSync(join(root, "scripts/pre-commit"), join(root, ".git/hooks/commit-msg"));
    linkSync(join(root, ".git/config"), join(root, "settings"));
    const toolkit = open(root);
    const warnings = await warningsOf(toolkit);
    expect(warnings).toContain(`"${join(root, ".git/hooks/commit-msg")}" is a hard link`);
    expect(warnings).toContain(`"${join(root, ".git/config")}" is a hard link`);
    rmSync(join(root, "settings"));
    rmSync(join(root, ".git/hooks/commit-msg"));
    expect(await warningsOf(toolkit)).not.toContain("hard link");
  });
});

describe("very many hooks", () => {
  it("are looked at up to 100, and more are told", async () => {
    const root = makeRepository();
    rmSync(join(root, ".git/hooks"), { recursive: true });
    mkdirSync(join(root, ".git/hooks"));
    const addHook = (name: string) =>
      symlinkSync("../../scripts/pre-commit", join(root, ".git/hooks", name));
    for (let hook = 1; hook <= 100; hook++) addHook(`hook${hook}`);
    const toolkit = open(root);
    expect((await run(toolkit, tries)).trim()).toBe("tried");
    expect(await warningsOf(toolkit)).not.toContain("Not all hooks in");
    addHook("one-more");
    expect(await warningsOf(toolkit)).toContain("Not all hooks in");
  });
});
