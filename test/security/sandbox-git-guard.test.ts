// The guard of a repository while commands run: whatever a command puts in its way, it removes
// nothing, follows nothing, gives nothing away and does not bring the program down.

import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findProtectedPlaces } from "../../src/drivers/sandbox/bwrap/protected-places.js";
import { eventually } from "../fakes/eventually.js";
import { runGit } from "./exec-workspace.js";
import { emptyingRace, hooksRace } from "./sandbox-git-attack.js";
import { createSandboxRunner, IDENTITIES, USER_ID } from "./sandbox-run.js";
import { createSandboxToolkits, execOf } from "./sandbox-toolkit.js";

const MAX_RACE_MS = 60_000;
const isRoot = process.getuid?.() === 0;
const { makeFolder, open: openToolkit } = createSandboxToolkits();
let runner: Awaited<ReturnType<typeof createSandboxRunner>>;

beforeAll(async () => {
  runner = await createSandboxRunner();
});
afterAll(() => runner.remove());

function makeRepository(): string {
  const root = makeFolder();
  runGit(root, ["init", "-q"]);
  return root;
}

function open(root: string) {
  const exec = execOf(openToolkit({ root }));
  return async (command: string, options: object = {}) => (await exec(command, options)).text;
}

/** What a forbidden name is called afterwards. */
const findPlanted = (root: string, name: string) =>
  readdirSync(join(root, ".git")).filter((one) => one.startsWith(`${name}.planted-`));

function guardOf(root: string) {
  const { guard } = findProtectedPlaces({ root, shown: [], hidden: [], readOnly: [] });
  if (guard === undefined) throw new Error("There is nothing to guard.");
  return guard;
}

describe.each(IDENTITIES)("as %s", (identity) => {
  it(
    "deletes nothing outside when a folder in the planted one becomes a link",
    async () => {
      const { root, home } = runner.makePlace(identity);
      const names = Array.from({ length: 20 }, (_, index) => `mine${index}`);
      const victim = `${root}-victim`;
      mkdirSync(victim);
      for (const name of names) writeFileSync(join(victim, name), name);
      for (const path of [victim, ...names.map((name) => join(victim, name))]) {
        if (isRoot && identity !== "root") chownSync(path, USER_ID, USER_ID);
      }
      writeFileSync(join(root, "race.pl"), emptyingRace(victim, names));
      const commands = ["git init -q", "perl race.pl"];
      const { exitCodes } = await runner.run(identity, {
        root,
        home,
        containment: "sandbox",
        commands,
      });
      expect(exitCodes).toEqual([0, 0]);
      expect(readdirSync(victim).sort()).toEqual([...names].sort());
    },
    MAX_RACE_MS,
  );

  it("goes on, and tells, when a planted folder may not be looked into", async () => {
    const { root, home } = runner.makePlace(identity);
    const plant =
      "mkdir .git/s .git/s/y; chmod 000 .git/s; mv .git/s .git/commondir; for i in $(seq 100); do [ -e .git/commondir ] || break; sleep 0.02; done; echo end";
    const { outputs, exitCodes } = await runner.run(identity, {
      root,
      home,
      containment: "sandbox",
      commands: ["git init -q", plant, "echo next"],
    });
    expect(exitCodes).toEqual([0, 0, 0]);
    const [planted = ""] = findPlanted(root, "commondir");
    expect(outputs[1]).toContain("end\n");
    expect(outputs[1]).toContain(`it is called "${planted}" there now`);
    expect(outputs[2]).toBe("next\n");
    chmodSync(join(root, ".git", planted), 0o700);
    expect(readdirSync(join(root, ".git", planted))).toEqual(["y"]);
  });

  it("knows how a command ended that took the rights to the repository away", async () => {
    const { root, home } = runner.makePlace(identity);
    const { outputs, exitCodes } = await runner.run(identity, {
      root,
      home,
      containment: "sandbox",
      commands: ["git init -q", "chmod 000 .git; echo done"],
    });
    chmodSync(join(root, ".git"), 0o755);
    expect(exitCodes).toEqual([0, 0]);
    expect(outputs[1]).toContain("done");
    if (identity === "a user") expect(outputs[1]).toContain("could not be moved away (EACCES)");
  });
});

describe("rights that a command took away", () => {
  it.each([".git", "."])("are named to a user by the next command: %s", async (folder) => {
    const { root, home } = runner.makePlace("a user");
    const order = { root, home, containment: "sandbox" } as const;
    const taken = { ...order, commands: ["git init -q", `chmod 000 ${folder}`, "echo next"] };
    try {
      await expect(runner.run("a user", taken)).rejects.toThrow(
        /The command could not be started: .* cannot be looked at \(EACCES\)/,
      );
    } finally {
      chmodSync(join(root, folder), 0o755);
    }
    expect((await runner.run("a user", { ...order, commands: ["echo fine"] })).outputs).toEqual([
      "fine\n",
    ]);
  });
});

describe("settings that the user makes while a command runs", () => {
  it("stay until it has ended, and are kept by another name, which is told", async () => {
    const root = makeRepository();
    const running = open(root)(
      "touch begun; for i in $(seq 400); do [ -e go ] && break; sleep 0.02; done; touch .git/x; sleep 0.2; [ -e .git/config.worktree ] && echo seen",
    );
    await eventually(() => expect(existsSync(join(root, "begun"))).toBe(true));
    writeFileSync(join(root, ".git/config.worktree"), "[core]\n");
    writeFileSync(join(root, "go"), "");
    const text = await running;
    expect(text).toContain("seen\n");
    expect(text).not.toContain("The command made");
    expect(text).toContain("If it is wanted");
    const [planted = ""] = findPlanted(root, "config.worktree");
    expect(text).toContain(`it is called "${planted}" there now`);
    expect(readFileSync(join(root, ".git", planted), "utf8")).toBe("[core]\n");
    expect(existsSync(join(root, ".git/config.worktree"))).toBe(false);
  });

  it("are left alone when they were there before", async () => {
    const root = makeRepository();
    writeFileSync(join(root, ".git/config.worktree"), "[core]\n");
    expect((await open(root)("echo fine")).trim()).toBe("fine");
    expect(readFileSync(join(root, ".git/config.worktree"), "utf8")).toBe("[core]\n");
  });
});

describe("the guard", () => {
  it("moves a link as it is, and leaves alone what it leads to", () => {
    const root = makeRepository();
    const outside = makeFolder();
    writeFileSync(join(outside, "mine"), "mine");
    const settle = guardOf(root)();
    symlinkSync(outside, join(root, ".git/commondir"));
    expect(settle()).toContain("The command made");
    const [planted = ""] = findPlanted(root, "commondir");
    expect(readlinkSync(join(root, ".git", planted))).toBe(outside);
    expect(readFileSync(join(outside, "mine"), "utf8")).toBe("mine");
  });

  it("looks in the folder that the command had, not in what stands in its place", () => {
    const root = makeRepository();
    const other = makeFolder();
    writeFileSync(join(other, "commondir"), "mine");
    const settle = guardOf(root)();
    writeFileSync(join(root, ".git/commondir"), "planted");
    renameSync(join(root, ".git"), join(root, "moved"));
    symlinkSync(other, join(root, ".git"));
    settle();
    expect(readdirSync(other)).toEqual(["commondir"]);
    expect(existsSync(join(root, "moved/commondir"))).toBe(false);
  });

  it("says so when the folder was replaced before it began", () => {
    const root = makeRepository();
    const guard = guardOf(root);
    renameSync(join(root, ".git"), join(root, "moved"));
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git/commondir"), "");
    expect(guard()()).toContain("was replaced as the command began");
    expect(existsSync(join(root, ".git/commondir"))).toBe(true);
  });

  it("tells of a name that is made again and again in a few words, and keeps nothing open", async () => {
    const root = makeRepository();
    const guard = guardOf(root);
    const before = readdirSync("/proc/self/fd").length;
    const settle = guard();
    for (let made = 1; made <= 6; made++) {
      writeFileSync(join(root, ".git/commondir"), String(made));
      const count = () => findPlanted(root, "commondir").length;
      if (made < 6) await vi.waitFor(() => expect(count()).toBe(made), { interval: 5 });
    }
    expect(settle()).toContain('" (and 3 more) there now');
    expect(settle()).toBeUndefined();
    expect(findPlanted(root, "commondir")).toHaveLength(6);
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
  });
});

if (isRoot) {
  describe("hooks that root makes in the repository of a user", () => {
    function makeUserFolder(): string {
      const root = makeFolder();
      chownSync(root, USER_ID, USER_ID);
      return root;
    }

    it("belong to the user", async () => {
      const root = makeUserFolder();
      const exec = open(root);
      await exec("git init -q; rm -rf .git/hooks");
      await exec("true");
      expect(lstatSync(join(root, ".git/hooks"))).toMatchObject({ uid: USER_ID, gid: USER_ID });
    });

    it(
      "do not give away what a link leads to that is put in their place",
      async () => {
        const root = makeUserFolder();
        const target = join(makeFolder(), "secret");
        writeFileSync(target, "secret", { mode: 0o600 });
        writeFileSync(join(root, "race.pl"), hooksRace(target));
        const exec = open(root);
        await exec("perl race.pl", { background: true });
        await eventually(() => expect(existsSync(join(root, "begun"))).toBe(true));
        for (let call = 0; call < 60 && statSync(target).uid === 0; call++) await exec("true");
        expect(statSync(target)).toMatchObject({ uid: 0, gid: 0 });
      },
      MAX_RACE_MS,
    );
  });
}
