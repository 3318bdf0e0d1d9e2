// Commands that try to run what nobody allowed, commands that people run every day, and commands that
// only look like an allowed one: what the planner and the allowlist make of them.

import { chmodSync, copyFileSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decidePlan } from "../../src/core/command/decide/decide-plan.js";
import type { AllowEntry } from "../../src/core/command/decide/match-entry.js";
import { scanCommand } from "../../src/core/command/scan/scan-command.js";
import { showCommand } from "../../src/core/command/show.js";
import bypasses from "../data/exec-bypass.json" with { type: "json" };
import ordinary from "../data/ordinary-commands.json" with { type: "json" };
import { createWorkspace, type Workspace } from "./exec-workspace.js";

/** ls, echo, cat, head, tail, wc, git status, find without -exec, node script.js. */
const FEW: readonly AllowEntry[] = [
  ..."ls echo cat head tail wc find".split(" ").map((pattern) => ({ pattern })),
  { pattern: "git", argPattern: "^status$" },
  { pattern: "node", argPattern: "^script\\.js$" },
];
/** The same, as whole paths without arguments: each program is covered as far as its profile goes. */
const PATHS: readonly AllowEntry[] =
  "ls echo cat head tail wc find git node sort awk sed tar env xargs"
    .split(" ")
    .map((name) => ({ pattern: `/usr/bin/${name}` }));

let workspace: Workspace;

beforeEach(() => {
  workspace = createWorkspace();
  workspace.git("init", "-q");
});

afterEach(() => workspace.remove());

describe("commands that hide another", () => {
  it.each([
    ["names", FEW],
    ["paths", PATHS],
  ] as const)("c1 · none of the corpus is allowed by a list of %s", async (_, entries) => {
    expect(bypasses.length).toBeGreaterThanOrEqual(87);
    const allowed: string[] = [];
    for (const { id, cmd } of bypasses) {
      const decision = await workspace.decide(cmd.replaceAll("{ROOT}", workspace.place), entries);
      if (decision.outcome !== "deny") allowed.push(`${id}: ${cmd}`);
    }
    expect(allowed).toEqual([]);
  });

  it("c2 · each is shown whole to whoever is asked, with what cannot be seen escaped", async () => {
    for (const { cmd } of bypasses.filter(({ cmd: text }) => text.includes("canary"))) {
      const command = cmd.replaceAll("{ROOT}", workspace.place);
      const planned = await workspace.plan(command);
      const shown = showCommand(planned.ok ? planned : { command, cwd: workspace.root });
      expect(shown).toContain("canary");
      expect(shown).toContain(`${command.length} characters`);
      expect(shown).not.toMatch(/[^\P{C}\n]/u);
    }
  });

  it.each([
    "find . -delete",
    "find . -fprint out.txt",
    "find . -fls out.txt",
    "find -L . -name x",
    "find / -name passwd",
    "find . -newer /etc/passwd",
    "sort -o out.txt a.txt",
    "sort --output=out.txt a.txt",
    "sort --outp=out.txt a.txt",
    "sort -T /tmp a.txt",
    "sort --files0-from=a.txt",
    "cat /etc/passwd",
    "cat ../../etc/passwd",
    "cat src/../../../etc/passwd",
    "cat < /etc/passwd",
    "head -n1 /etc/passwd",
    "tail -f log.txt",
    "grep -f /etc/passwd a.txt",
    "grep -R x .",
    "grep x /etc/passwd",
    "grep -rn x ..",
    "wc --files0-from=a.txt",
    "uniq a.txt out.txt",
    "sed 's/a/b/' -i a.txt",
    "sed -f script.sed a.txt",
    "sed -n '1p' /etc/passwd",
    "awk '{print > \"out\"}' a.txt",
    "awk '{print | \"sh\"}' a.txt",
    "awk 'BEGIN{system(\"id\")}'",
    "awk 'BEGIN{while((getline l < \"/etc/passwd\")>0)print l}'",
    "awk 'BEGIN{ARGV[1]=\"/etc/passwd\";ARGC=2}{print}'",
    "awk -f prog.awk a.txt",
    "awk '{print}' /etc/passwd",
    "awk '{print}' FS=/ a.txt",
    "awk '@load \"x\"' a.txt",
    "tar xf a.tar",
    "tar tf host:a.tar",
    "tar tf /etc/a.tar",
    "tar tf a.tar --to-command=sh",
    "jq env data.json",
    "jq '$ENV' data.json",
    "jq -f /etc/passwd",
    "jq . /etc/passwd",
    "node script.js x",
    "node -r ./a.js script.js",
    "node",
    "env",
    "env ls",
    "xargs ls",
    "git diff /etc/hostname a.txt",
    "git diff --no-index a.txt b.txt",
    "git diff -M /etc/hostname a.txt",
    "git diff --color-words /etc/hostname a.txt",
    "git diff --output=out.txt",
    "git diff --ext-diff",
    "git log --show-signature",
    "git log --format=%G?",
    "git log --ext-diff -p",
    "git show --textconv",
    "git grep -O x",
    "git grep --no-index x",
    "git -c core.pager=sh log",
    "git -C / status",
    "git --git-dir=/etc status",
    "git --exec-path=. status",
    "git branch new",
    "git tag new",
    "git remote add x y",
    "git stash",
    "git stash drop",
    "git config core.fsmonitor sh",
    "git status --ignore-submodules=none",
    "date -s 2020-01-01",
    "date 010100002020",
    "date -f /etc/passwd",
    "du --files0-from=a.txt",
    "mkdir ../out",
    "mkdir .git/hooks/x",
    "echo x > .git/config",
    "echo x > .git/hooks/post-checkout",
    "echo x > clawtools.json",
    "echo x > sub/.clawtools/x",
    "echo x > ../out.txt",
    "echo x > /tmp/out.txt",
    "echo x > /dev/tcp/127.0.0.1/80",
    "echo 'code' > script.js; node script.js",
    "echo 'code' > script.js && node script.js",
    "echo 'code' > lib.js; node script.js",
    "node script.js | cat > script.js",
    "mkdir node_modules && npm test",
    "echo x > package.json; npm test",
    "cd / && ls",
    "cd .. && ls",
    "cd /etc; cat passwd",
    "cd - && ls",
    "cd && ls",
    "ls /",
    "ls ..",
    "ls ../*",
    "cat /etc/*",
    "ls | cd src",
    "ls && cd /",
    "test -f /etc/shadow",
    "du -sh /",
    "ls\rcanary",
    "ls \u0000canary",
    "ls;& canary",
    "ls|&> f canary",
    "{a}> f ls",
    "ls 3> f",
    "ls >| f",
    "ls <> f",
    "ls >& f",
  ])("a list of ordinary programs does not cover %j", async (command) => {
    const decision = await workspace.decide(command);
    expect(decision).toMatchObject({ outcome: "deny" });
    expect(decision.message).toMatch(/\S/);
  });

  it("a link out of the root is not read, written, listed or gone into", async () => {
    symlinkSync("/etc", join(workspace.root, "out"));
    symlinkSync("/etc/passwd", join(workspace.root, "secret"));
    symlinkSync(join(workspace.place, "new"), join(workspace.root, "dangling"));
    const commands = [
      "cat secret",
      "cat out/passwd",
      "ls out",
      "ls out/*",
      "cd out && ls",
      "cat < secret",
    ];
    const writes = [
      "echo x > secret",
      "echo x > out/x",
      "echo x > dangling",
      "mkdir out/x",
      "cat dangling",
    ];
    for (const command of [...commands, ...writes, "cat src/../out/passwd", "wc -l s*t"]) {
      expect(await workspace.decide(command), command).toMatchObject({ outcome: "deny" });
    }
    expect(await workspace.decide("ls")).toMatchObject({ outcome: "allow" });
  });

  it("a second name of a file from outside is not written", async () => {
    writeFileSync(join(workspace.place, "kept"), "");
    linkSync(join(workspace.place, "kept"), join(workspace.root, "name"));
    expect(await workspace.decide("echo x > name")).toMatchObject({ outcome: "deny" });
    expect(await workspace.decide("cat name")).toMatchObject({ outcome: "allow" });
  });
});

describe("ordinary commands", () => {
  const forms = [...new Set(ordinary.map(({ form }) => form))];

  it("there are 150 that must pass, and ten of each form", () => {
    expect(ordinary.filter(({ hostAuto }) => hostAuto).length).toBeGreaterThanOrEqual(150);
    expect(forms).toHaveLength(10);
    for (const form of forms) {
      expect(ordinary.filter((row) => row.form === form && row.hostAuto).length).toBeGreaterThan(9);
    }
  });

  it.each(forms)("of the form %s pass where they should and only there", async (form) => {
    const wrong: string[] = [];
    for (const { id, command, hostAuto } of ordinary.filter((row) => row.form === form)) {
      const { outcome, message } = await workspace.decide(command);
      if ((outcome === "allow") !== hostAuto) wrong.push(`${id}: ${command}: ${message}`);
    }
    expect(wrong).toEqual([]);
  });

  it("those that do not pass are asked about, not refused, where somebody can be asked", async () => {
    const asked = ordinary.filter(({ hostAuto }) => !hostAuto);
    for (const { command } of asked) {
      const planned = await workspace.plan(command);
      const request = { planned, security: "allowlist", ask: "on-miss", entries: [] } as const;
      expect(decidePlan(request)).toMatchObject({ outcome: "ask" });
    }
  });
});

describe("c5 · programs that look like an allowed one", () => {
  const LOOKALIKES: AllowEntry[] = [...FEW, { pattern: "/usr/bin/ls" }, { pattern: "/usr/**" }];

  beforeEach(() => {
    for (const folder of ["/", "/sub"]) {
      mkdirSync(join(workspace.root, folder), { recursive: true });
      copyFileSync("/bin/true", join(workspace.root, folder, "ls"));
    }
  });

  it.each([
    "./ls",
    "sub/ls",
    "sub/../ls",
    "{PLACE}/bin/canary",
    "lѕ",
    "LS",
    '"ls "',
    "'l s'",
    "ls\u200b",
    "ls\u00a0",
  ])("%j is not ls", async (name) => {
    const command = `${name.replace("{PLACE}", workspace.place)} a.txt`;
    expect(await workspace.decide(command, LOOKALIKES)).toMatchObject({ outcome: "deny" });
  });

  it("a copy of another program under an allowed name is not it, wherever it is", async () => {
    const folder = join(workspace.root, "tools");
    mkdirSync(folder);
    copyFileSync("/bin/true", join(folder, "wc"));
    const nearby = createWorkspace({ pathPrepend: [folder] });
    try {
      // Found first in the search path, and in the workspace of another root: a plain name is enough.
      expect(await nearby.decide("wc", FEW)).toMatchObject({ outcome: "allow" });
    } finally {
      nearby.remove();
    }
    expect(await workspace.decide("tools/wc", FEW)).toMatchObject({ outcome: "deny" });
    expect(
      await workspace.decide(`${folder}/wc`, [{ pattern: `${workspace.place}/**` }]),
    ).toMatchObject({
      outcome: "deny",
    });
    expect(await workspace.decide("tools/wc", [{ pattern: `${folder}/wc` }])).toMatchObject({
      outcome: "allow",
    });
  });

  it("a program that others can change is covered by nothing but an exact grant", async () => {
    const tool = join(workspace.place, "bin", "tool");
    copyFileSync("/bin/true", tool);
    const entries = [{ pattern: tool }, { pattern: tool, argPattern: "^$" }];
    chmodSync(tool, 0o755);
    expect(await workspace.decide(tool, entries)).toMatchObject({ outcome: "allow" });
    chmodSync(tool, 0o777);
    expect(await workspace.decide(tool, entries)).toMatchObject({ outcome: "deny" });
    chmodSync(tool, 0o755);
    chmodSync(join(workspace.place, "bin"), 0o777);
    expect(await workspace.decide(tool, entries)).toMatchObject({ outcome: "deny" });
  });
});

describe("c6 · limits", () => {
  const HUGE: readonly (readonly [string, string])[] = [
    ["51 commands", "ls;".repeat(51)],
    ["1,000 commands", `${"ls|".repeat(999)}ls`],
    ["100,000 commands", "ls;".repeat(100_000)],
    ["1 MB", `ls ${"a".repeat(1_000_000)}`],
    ["10,000 quotes", `ls ${"''".repeat(10_000)}`],
    ["NUL", "ls\0"],
    ["half a character", "ls \ud800"],
  ];
  it.each(HUGE)(
    "a command line with %s is denied, also where somebody could be asked",
    (_, command) => {
      const planned = scanCommand(command);
      expect(planned.ok).toBe(false);
      if (planned.ok) return;
      for (const ask of ["off", "on-miss", "always"] as const) {
        const request = {
          planned,
          security: "allowlist",
          ask,
          entries: [{ pattern: "*" }],
        } as const;
        expect(decidePlan(request)).toMatchObject({
          outcome: "deny",
          reason: "command_unreadable",
        });
      }
    },
  );

  it("exactly fifty commands and exactly 16,384 bytes are read", () => {
    expect(scanCommand("ls;".repeat(50))).toMatchObject({ ok: true });
    expect(scanCommand(`ls ${"é".repeat(8_190)}a`)).toMatchObject({ ok: true });
    expect(scanCommand(`ls ${"é".repeat(8_191)}`)).toMatchObject({ ok: false });
  });

  const COSTLY = [
    ..."|'*~{[\\$",
    '"a" ',
    "a ",
    "[a",
    "\\a",
    "a~",
    "2>&1 ",
    "a=~",
    "''",
    '"$ "',
    ">f ",
  ].map((piece) => `a ${piece.repeat(Math.floor(16_000 / piece.length))}`);
  it.each([...HUGE.map(([, command]) => command), ...COSTLY])(
    "reading line %# takes bounded time",
    (command) => {
      const before = process.cpuUsage();
      scanCommand(command);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(500);
    },
  );
});
