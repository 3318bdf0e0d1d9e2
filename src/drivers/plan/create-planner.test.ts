// Plans made of real files: programs, patterns, folders, redirects, scripts, and the hash over all.

import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type CommandPlan,
  grantFor,
  isSingleProgram,
  renderPlan,
  toSpawn,
} from "../../core/command/index.js";
import { createCommandPlanner } from "./create-planner.js";

const SYSTEM = ["/usr/bin", "/bin"];

let place: string;
let root: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "planner-")));
  chmodSync(place, 0o755);
  root = join(place, "root");
  for (const folder of ["src/deep", "docs", "-dir"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    "src/a.ts",
    "src/b.ts",
    "src/Z.ts",
    "docs/x.md",
    "-dir/y",
    "one.md",
    "-n",
    ".dot",
  ]) {
    writeFileSync(join(root, file), "");
  }
  writeFileSync(join(root, "run.js"), "console.log(1)\n");
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

async function plan(command: string, searchPath = SYSTEM) {
  const planner = createCommandPlanner({ root, searchPath });
  return planner.plan({ command, cwd: root, signal: new AbortController().signal });
}

async function planned(command: string, searchPath = SYSTEM): Promise<CommandPlan> {
  const result = await plan(command, searchPath);
  if (!result.ok) expect.fail(result.refusal.message);
  return result.plan;
}

async function refusalOf(command: string): Promise<string> {
  const result = await plan(command);
  return result.ok ? "planned" : result.refusal.reason;
}

const argsOf = async (command: string) =>
  (await planned(command)).steps.map(({ argv }) => argv.slice(1));

describe("patterns", () => {
  it.each([
    ["ls src/*.ts", ["src/Z.ts", "src/a.ts", "src/b.ts"]],
    ["ls *", ["./-dir", "./-n", "docs", "one.md", "run.js", "src"]],
    ["ls -d */", ["-d", "./-dir/", "docs/", "src/"]],
    ["ls */*.md", ["docs/x.md"]],
    ["ls src/[a-b].ts missing*", ["src/a.ts", "src/b.ts", "missing*"]],
    ["cat 'src/'*.t? .d*", ["src/Z.ts", "src/a.ts", "src/b.ts", ".dot"]],
    ["cd src && ls *.ts", ["Z.ts", "a.ts", "b.ts"]],
  ])("%s", async (command, args) => {
    expect(await argsOf(command)).toEqual([args]);
  });

  it("absolute ones are resolved inside the root, and nowhere else", async () => {
    expect(await argsOf(`ls ${root}/*.md`)).toEqual([[`${root}/one.md`]]);
    expect(await refusalOf("ls /etc/*")).toBe("pattern");
    expect(await refusalOf("ls ../*")).toBe("pattern");
    symlinkSync("/etc", join(root, "out"));
    expect(await refusalOf("ls out/*")).toBe("pattern");
  });

  it("a pattern behind a step that may change files is refused: its names are open", async () => {
    expect(await refusalOf("touch new.md && ls *.md")).toBe("pattern");
    expect(await refusalOf("cat one.md > two.md; ls *.md")).toBe("pattern");
    expect(await refusalOf("ls src && ls *.md")).toBe("planned");
  });

  it("more than a thousand names in one command line are refused", async () => {
    for (let index = 0; index <= 1_000; index += 1)
      writeFileSync(join(root, "docs", `n${index}`), "");
    expect(await refusalOf("ls docs/n*")).toBe("pattern");
    unlinkSync(join(root, "docs/n0"));
    expect((await argsOf("ls docs/n*"))[0]).toHaveLength(1_000);
    expect(await refusalOf("ls docs/n* | cat one*")).toBe("pattern");
  });
});

describe("folders", () => {
  it("cd at the beginning is where everything behind it runs", async () => {
    const { steps, cwd } = await planned("cd src && cd deep; pwd && ls ../*.ts | wc -l");
    expect(cwd).toBe(root);
    expect(steps.map((step) => step.cwd)).toEqual(Array(3).fill(join(root, "src/deep")));
  });

  it.each([
    ["folder_missing", "cd nowhere && ls"],
    ["folder_missing", "cd one.md && ls"],
    ["folder_outside_root", "cd .. && ls"],
    ["folder_outside_root", "cd / && ls"],
    ["folder_change", "cd src"],
    ["folder_change", "cd src || ls"],
    ["folder_change", "cd src | ls"],
    ["folder_change", "cd src docs && ls"],
    ["folder_change", "cd - && ls"],
    ["folder_change", "cd s* && ls"],
    ["shell_builtin", "ls && cd src && ls"],
    ["shell_builtin", "export X=1"],
    ["shell_builtin", ". ./x.sh"],
  ])("%s: %s", async (reason, command) => {
    expect(await refusalOf(command)).toBe(reason);
  });

  it("a way through a link and back is refused: a shell and the system go different ways", async () => {
    symlinkSync(join(root, "src/deep"), join(root, "link"));
    expect(await refusalOf("cd link/.. && ls")).toBe("folder_change");
    expect((await planned("cd link && ls")).steps[0]?.cwd).toBe(join(root, "src/deep"));
  });
});

describe("redirects", () => {
  it("files are told by their real place, and may be new", async () => {
    symlinkSync(join(root, "docs"), join(root, "link"));
    const { steps } = await planned("cat < one.md > link/new.txt 2> made/later.txt");
    expect(steps[0]?.redirects).toEqual([
      { kind: "read", fd: 0, path: join(root, "one.md") },
      { kind: "write", fd: 1, path: join(root, "docs/new.txt") },
      { kind: "write", fd: 2, path: join(root, "made/later.txt") },
    ]);
  });

  it.each([
    ["redirect_outside_root", "ls > ../x"],
    ["redirect_outside_root", "ls > /tmp/x"],
    ["redirect_outside_root", "ls > /dev/tty"],
    ["redirect_outside_root", "ls > missing/../../x"],
    ["redirect_outside_root", "ls > docs/"],
    ["redirect_file", "ls > docs"],
    ["redirect_protected", "ls > .git/config"],
    ["redirect_protected", "ls > docs/.GIT/config"],
    ["redirect_protected", "ls >> exec-approvals.json"],
  ])("%s: %s", async (reason, command) => {
    expect(await refusalOf(command)).toBe(reason);
  });
});

describe("programs", () => {
  it("are found in the search path by the name they have there, and known by their real file", async () => {
    const bin = join(place, "bin");
    mkdirSync(bin);
    symlinkSync("/usr/bin/env", join(bin, "tool"));
    const [step] = (await planned("tool", [bin])).steps;
    expect(step?.facts).toMatchObject({ file: join(bin, "tool"), lookup: "search" });
    expect(step?.program.path).toBe(realpathSync("/usr/bin/env"));
    expect(await refusalOf("nothing-like-this")).toBe("unknown_program");
    expect(await refusalOf("./one.md")).toBe("unknown_program");
    expect(await refusalOf("src/")).toBe("unknown_program");
  });

  it("one without redirects starts as it is; others are rendered for bash", async () => {
    const single = await planned("ls 'a b'");
    expect(isSingleProgram(single)).toBe(true);
    expect(toSpawn(single.steps[0] ?? expect.fail())).toEqual(["/usr/bin/ls", "a b"]);
    expect(isSingleProgram(await planned("cd src && ls"))).toBe(false);
    expect(isSingleProgram(await planned("ls > x"))).toBe(false);
    const several = await planned(
      "cd src && printf '%s|' \"it's\" *.ts | cat > ../out.txt; cat ../out.txt",
    );
    expect(isSingleProgram(several)).toBe(false);
    const run = spawnSync("/bin/bash", ["--noprofile", "--norc", "-p", "-c", renderPlan(several)], {
      cwd: root,
      encoding: "utf8",
    });
    expect(run.stdout).toBe("it's|Z.ts|a.ts|b.ts|");
  });

  it("planning runs nothing, not even what is called git in the workspace", async () => {
    const mark = join(place, "mark");
    for (const name of ["git", "src/git"]) {
      writeFileSync(join(root, name), `#!/bin/sh\necho ran > '${mark}'\n`);
      chmodSync(join(root, name), 0o755);
    }
    for (const command of ["./git status", "src/git status", `${root}/git status`])
      await planned(command);
    await planned("git status", [root, ...SYSTEM]);
    await planned("cd src && ./git status");
    expect(existsSync(mark)).toBe(false);
  });

  it("a program that cannot be read is refused, not thrown", async () => {
    const program = join(root, "src/folder-of-none");
    symlinkSync("folder-of-none", program);
    expect(await refusalOf("src/folder-of-none")).toBe("unknown_program");
    expect(await refusalOf(`ls ${"a/".repeat(8_000)}`)).toBe("planned");
  });

  it("an abort ends planning with an abort", async () => {
    const planner = createCommandPlanner({ root, searchPath: SYSTEM });
    const signal = AbortSignal.abort();
    await expect(planner.plan({ command: "ls", cwd: root, signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  it("when the folder is gone nothing of the rendered plan runs", async () => {
    const text = renderPlan(await planned("cd docs && echo one; echo two"));
    rmSync(join(root, "docs"), { recursive: true });
    const run = spawnSync("/bin/bash", ["--noprofile", "--norc", "-p", "-c", text], { cwd: root });
    expect(run).toMatchObject({ status: 1 });
    expect(String(run.stdout)).toBe("");
  });
});

it("planning imports nothing that starts a process", () => {
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => /(?<!\.test)\.ts$/.test(name));
  expect(sources).toContain(join("repository", "read-config.ts"));
  const starting = sources.filter((name) =>
    /child_process|node:cluster|worker_threads|drivers\/process/.test(
      readFileSync(join(import.meta.dirname, name), "utf8"),
    ),
  );
  expect(starting).toEqual([]);
});

it.runIf(process.getuid?.() === 0)(
  "a program in a folder of somebody else is known by its content",
  async () => {
    const bin = join(place, "bin");
    mkdirSync(bin);
    copyFileSync("/bin/true", join(bin, "tool"));
    const contentHash = async () => (await planned("tool", [bin])).steps[0]?.program.contentHash;
    expect(await contentHash()).toBeUndefined();
    chownSync(bin, 12_345, 0);
    expect(await contentHash()).toMatch(/^[0-9a-f]{64}$/);
  },
);

describe("c3 · the hash changes with", () => {
  const COMMAND = "tool run.js a*";
  let bin: string;
  let first: string;

  beforeEach(async () => {
    bin = join(place, "bin");
    for (const folder of [bin, join(place, "early")]) mkdirSync(folder);
    copyFileSync("/bin/true", join(bin, "tool"));
    symlinkSync(process.execPath, join(bin, "node"));
    first = await hash(COMMAND);
  });

  const hash = async (command: string) =>
    (await planned(command, [join(place, "early"), bin])).hash;

  it("nothing when nothing changed", async () => {
    expect(await hash(COMMAND)).toBe(first);
  });

  it("an argument, also one that a pattern gives", async () => {
    expect(await hash("tool run.js a")).not.toBe(first);
    writeFileSync(join(root, "ax"), "");
    expect(await hash(COMMAND)).not.toBe(first);
  });

  it("the program, and an earlier one of the same name", async () => {
    appendFileSync(join(bin, "tool"), "x");
    const changed = await hash(COMMAND);
    expect(changed).not.toBe(first);
    copyFileSync("/bin/true", join(place, "early/tool"));
    expect(await hash(COMMAND)).not.toBe(changed);
  });

  it("a script, its place, the folder, a redirect", async () => {
    const before = await hash("node run.js");
    writeFileSync(join(root, "run.js"), "console.log(2)\n");
    const after = await hash("node run.js");
    expect(after).not.toBe(before);
    const others = [
      "cd src && node ../run.js",
      "node run.js > x",
      "node < run.js",
      "node ./run.js",
    ];
    const hashes = await Promise.all(others.map(hash));
    expect(new Set([before, after, ...hashes]).size).toBe(6);
  });

  it("and so does what an exact grant is bound to", async () => {
    const grant = async (command: string) => {
      const [one] = grantFor(await planned(command, [bin]));
      return one?.ok ? one.entry.argPattern : "none";
    };
    const before = await grant("node run.js");
    expect(before).toMatch(/^sha256:argv:[0-9a-f]{64}$/);
    writeFileSync(join(root, "run.js"), "console.log(3)\n");
    expect(await grant("node run.js")).not.toBe(before);
  });
});
