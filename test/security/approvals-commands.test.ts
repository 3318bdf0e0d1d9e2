// Approvals of real commands, read by the real planner: what the person sees, what is saved, and that
// nothing changed on the disk in between slips through.

import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { toSearchPath } from "../../src/core/command/index.js";
import type { ApprovalAnswer, CommandQuestion, GateRequest } from "../../src/core/index.js";
import { createMemoryGrants } from "../../src/drivers/approvals/index.js";
import { createCommandPlanner } from "../../src/drivers/plan/index.js";
import bypasses from "../data/exec-bypass.json" with { type: "json" };
import { createTempFolder } from "../plugins/temp-folder.js";
import { createSetting, requestOf } from "./approvals-setting.js";

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\u200B-\u200F\u2028-\u202E\u2060-\u206F\u2800]/u;
const ALLOWLIST = ["ls", "echo", "cat", "head", "tail", "wc", "find"].map((pattern) => ({
  pattern,
}));

interface Scene {
  readonly folder: string;
  readonly root: string;
  /** Looked at before the folders of the system. */
  readonly bin: string;
  readonly questions: CommandQuestion[];
  /** What the gate says to a command now; the pass, or the reason of the refusal. */
  ask(command: string, changes?: Partial<GateRequest>): ReturnType<Asker>;
  plan(command: string, cwd?: string): ReturnType<ReturnType<typeof createCommandPlanner>["plan"]>;
}

type Asker = Awaited<ReturnType<typeof createSetting>>["gate"]["authorise"];

async function createScene(answer: ApprovalAnswer): Promise<Scene> {
  const folder = await createTempFolder({
    "root/run.js": "console.log(1);\n",
    "root/one/a.txt": "",
    "root/two/a.txt": "",
    "bin/.keep": "",
    "bin/tool": "#!/bin/sh\nexit 0\n",
  });
  const root = join(folder, "root");
  const bin = join(folder, "bin");
  await chmod(join(bin, "tool"), 0o755);
  const questions: CommandQuestion[] = [];
  const given = { version: 1, agents: { main: { allowlist: ALLOWLIST } } };
  const { gate } = await createSetting({
    grantsFile: createMemoryGrants(given),
    approver: async ({ command }) => {
      if (command) questions.push(command);
      return answer;
    },
  });
  const runtimeFolder = dirname(process.execPath);
  const searchPath = toSearchPath({ root, prepend: [bin], runtimeFolder });
  const planner = createCommandPlanner({ root, searchPath });
  const plan = (command: string, cwd = root) =>
    planner.plan({ command, cwd, signal: new AbortController().signal });
  return {
    ...{ folder, root, bin, questions, plan },
    async ask(command, changes = {}) {
      const cwd = changes.cwd ?? root;
      const planned = await plan(command, cwd);
      const asked = planned.ok ? { plan: planned.plan } : { command, refusal: planned.refusal };
      return gate.authorise(requestOf(asked, { cwd, ...changes }));
    },
  };
}

/** Back from what is shown to what was written. */
function readShown(line: string): { length: number; text: string } {
  const [, length, word = ""] = /^Command \((\d+) characters[^)]*\): (.*)$/.exec(line) ?? [];
  const isQuoted = word.startsWith('"');
  const inner = isQuoted ? word.slice(1, -1) : word;
  const text = inner.replace(
    /\\(?:u\{([0-9A-F]+)\}|(n)|(t)|(["\\]))/g,
    (_, code?: string, isLine?: string, isTab?: string, sign?: string) => {
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      if (isLine !== undefined) return "\n";
      return isTab === undefined ? (sign ?? "") : "\t";
    },
  );
  return { length: Number(length), text };
}

describe("the question about a command", () => {
  it("shows every known bypass whole, with nothing unseen in it", async () => {
    const { root, ask, questions } = await createScene({ decision: "deny" });
    let asked = 0;
    for (const { cmd, id } of bypasses) {
      const command = cmd.replaceAll("{ROOT}", root);
      const before = questions.length;
      const refusal = await ask(command).then(
        () => "allowed",
        (error: { readonly reason?: string }) => error.reason,
      );
      const refused = /user_denied|command_unreadable|program_missing/;
      expect([id, refusal]).toEqual([id, expect.stringMatching(refused)]);
      const question = questions[before];
      // What nobody could judge by looking at it, or what is not there, is refused without asking.
      if (refusal !== "user_denied") continue;
      asked++;
      expect(question?.command).toBe(command);
      const [first = ""] = question?.shown ?? [];
      expect(readShown(first)).toEqual({ length: command.length, text: command });
      for (const line of question?.shown ?? []) expect(line).not.toMatch(UNSEEN);
    }
    expect(asked).toBeGreaterThan(bypasses.length * 0.9);
  });

  it("escapes what cannot be seen, or turns text around", async () => {
    const { ask, questions } = await createScene({ decision: "deny" });
    await expect(ask("mkdir 'a\u202Egpj\u200B\u00A0\u2066x'")).rejects.toThrow();
    const shown = questions[0]?.shown.join("\n") ?? "";
    expect(shown).toContain("a\\u{202E}gpj\\u{200B}\\u{00A0}\\u{2066}x");
    expect(shown).toContain(questions[0]?.planHash ?? "none");
    expect(shown).not.toMatch(/[^\P{Cf}]/u);
  });
});

describe("allow-always", () => {
  it.each([
    ["mkdir made", "mkdir other"],
    ["node run.js", "node run.js extra"],
    ["cat run.js | sort -r", "cat run.js | sort -u"],
    ["cp run.js a", "cp run.js b"],
  ])("for `%s` saves just that: `%s` is asked about again", async (command, other) => {
    const { ask, questions } = await createScene({ decision: "allow-always" });
    expect((await ask(command)).by).toBe("approval");
    expect(questions[0]?.decisions).toContain("allow-always");
    expect(questions[0]?.grants.every(({ shown }) => shown)).toBe(true);
    expect((await ask(command)).by).toBe("allowlist");
    expect(questions).toHaveLength(1);
    expect((await ask(other)).by).toBe("approval");
    expect(questions).toHaveLength(2);
  });

  it.each([
    "timeout 5 ls",
    "env X=1 ls",
    "bash -lc 'ls'",
    "npx tool",
    "tool a",
    "node -e 1",
    "ls | xargs rm",
  ])(
    "for `%s` says why nothing can be saved, and `bash -lc canary` still asks",
    async (command) => {
      const { ask, questions } = await createScene({ decision: "allow-always" });
      for (let count = 1; count <= 2; count++) {
        expect((await ask(command)).by).toBe("approval");
        expect(questions).toHaveLength(count);
        expect(questions[count - 1]?.onceBecause).toBeTruthy();
      }
      await ask("bash -lc canary");
      expect(questions).toHaveLength(3);
    },
  );

  it("in a pipeline saves only what was missing", async () => {
    const { ask, questions } = await createScene({ decision: "allow-always" });
    await ask("ls | sort -r");
    expect(questions[0]?.grants).toHaveLength(1);
    expect(questions[0]?.grants[0]?.pattern).toMatch(/sort$/);
  });

  it("holds no longer when the script has changed", async () => {
    const { ask, questions, root } = await createScene({ decision: "allow-always" });
    await ask("node run.js");
    expect((await ask("node run.js")).by).toBe("allowlist");
    await writeFile(join(root, "run.js"), "console.log(2);\n");
    await ask("node run.js");
    expect(questions).toHaveLength(2);
  });
});

type Change = (scene: Scene) => Promise<void>;

const CHANGES: readonly (readonly [name: string, command: string, change: Change])[] = [
  ["the script", "node run.js", ({ root }) => writeFile(join(root, "run.js"), "console.log(3);\n")],
  [
    "the program, replaced",
    "tool a",
    async ({ bin }) => {
      await writeFile(join(bin, "new"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      await rename(join(bin, "new"), join(bin, "tool"));
    },
  ],
  ["the program, written to", "tool a", ({ bin }) => writeFile(join(bin, "tool"), "#!/bin/sh\n")],
  [
    "a program found earlier",
    "mkdir made",
    ({ bin }) => writeFile(join(bin, "mkdir"), "#!/bin/sh\n", { mode: 0o755 }),
  ],
  [
    "the folder behind a link",
    "cd link && mkdir made",
    async ({ root }) => {
      await rm(join(root, "link"));
      await symlink("two", join(root, "link"));
    },
  ],
  ["the files of a pattern", "mkdir one/*", ({ root }) => writeFile(join(root, "one", "b"), "")],
];

describe("what changes between the yes and the start", () => {
  it.each(CHANGES)("stops the command: %s", async (_, command, change) => {
    const scene = await createScene({ decision: "allow-once" });
    await symlink("one", join(scene.root, "link"));
    const same = await scene.ask(command);
    expect(same.by).toBe("approval");
    const before = await scene.plan(command);
    expect(before.ok).toBe(true);
    if (before.ok) await same.consume(before.plan);
    const pass = await scene.ask(command);
    await change(scene);
    const after = await scene.plan(command);
    await expect(pass.consume(after.ok ? after.plan : undefined)).rejects.toMatchObject({
      code: "denied",
      reason: "approval_mismatch",
    });
  });

  it("stops a command whose working folder became another one", async () => {
    const scene = await createScene({ decision: "allow-once" });
    const cwd = join(scene.root, "link");
    await symlink("one", cwd);
    const pass = await scene.ask("mkdir made", { cwd });
    await rm(cwd);
    await symlink("two", cwd);
    const after = await scene.plan("mkdir made", cwd);
    await expect(pass.consume(after.ok ? after.plan : undefined)).rejects.toThrow(
      "its working folder has changed",
    );
  });

  it("does not when it is a folder made meanwhile", async () => {
    const scene = await createScene({ decision: "allow-once" });
    const pass = await scene.ask("mkdir made");
    await mkdir(join(scene.root, "unrelated"));
    const after = await scene.plan("mkdir made");
    expect(after.ok).toBe(true);
    if (after.ok) await pass.consume(after.plan);
  });
});

describe("an entry that says nothing of files", () => {
  it("lets a command pass though a file that it names changes at every moment", async () => {
    const scene = await createScene({ decision: "deny" });
    await writeFile(join(scene.root, "app.db"), "1");
    const { gate } = await createSetting({
      document: {
        version: 1,
        agents: { main: { allowlist: [{ pattern: "tool", argPattern: "^app\\.db$" }] } },
      },
    });
    const before = await scene.plan("tool app.db");
    if (!before.ok) throw new Error(before.refusal.message);
    const pass = await gate.authorise(requestOf({ plan: before.plan }, { cwd: scene.root }));
    await writeFile(join(scene.root, "app.db"), "2");
    const after = await scene.plan("tool app.db");
    if (!after.ok) throw new Error(after.refusal.message);
    expect(after.plan.hash).not.toBe(before.plan.hash);
    await expect(pass.consume(after.plan)).resolves.toBeUndefined();
  });
});
