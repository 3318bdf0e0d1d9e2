// One rule for what is protected: allowed commands on this machine and commands in the sandbox reach
// no more than file tools do. Each table has a control that does get through.

import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createToolkit, type Toolkit, type ToolkitOptions } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandboxToolkits, execOf } from "./sandbox-toolkit.js";

const PLAIN = "echo cat touch mkdir head tail ls find grep sort wc du".split(" ");
const WITH_ARGUMENTS = "cp mv rm ln tee sed sort install git dd truncate".split(" ");
const ALLOWLIST = [
  ...PLAIN.map((pattern) => ({ pattern })),
  ...WITH_ARGUMENTS.map((pattern) => ({ pattern, argPattern: "^.*$" })),
];
const HOST = { host: "gateway", sandbox: "none", security: "allowlist", ask: "off" } as const;
const FILES: Readonly<Record<string, string>> = {
  "conf/mine.json5": "kept",
  "state/audit.key": "SECRET",
  "state/undo/objects/one": "SECRET",
  "evil/mine.json5": "planted",
  "evil/tasks.json": "planted",
  "plugins/one/index.js": "kept",
  "secrets/a": "kept",
  ".mcp.json": "kept",
  "free.txt": "free",
};

function makeRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "protected-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  linkSync(join(root, "conf/mine.json5"), join(root, "hard-config"));
  linkSync(join(root, "state/audit.key"), join(root, "hard-key"));
  symlinkSync("conf", join(root, "way"));
  symlinkSync("state/audit.key", join(root, "key"));
  return root;
}

function start(root: string, options: Partial<ToolkitOptions> = {}): Toolkit {
  const toolkit = createToolkit({
    root,
    stateDir: join(root, "state"),
    protect: [join(root, "conf/mine.json5"), "secrets"],
    approvals: { version: 1, agents: { "*": { allowlist: ALLOWLIST } } },
    ...options,
    config: {
      plugins: { load: { paths: [join(root, "plugins")] } },
      // The audit would put a key of its own in the place of the one here.
      audit: { enabled: false },
      ...options.config,
      tools: { exec: HOST, ...options.config?.tools },
    },
  });
  onTestFinished(() => toolkit.close());
  return toolkit;
}

const COMMANDS = [
  "echo planted > conf/mine.json5",
  "echo planted >> way/mine.json5",
  "ls nothing 2> conf/mine.json5",
  "ls free.txt &> CONF/../conf/mine.json5",
  "echo planted > hard-config",
  "echo planted > plugins/one/index.js",
  "echo planted > node_modules/any/index.js",
  "echo planted > secrets/new",
  "echo planted > state/audit.head",
  "echo planted > .vscode/tasks.json",
  "echo planted > .Cursor/mcp.json",
  "echo planted > .c\u200Dlaude/settings.json",
  "touch .envrc",
  "mkdir -p packages/one/.zed",
  "mkdir node_modules/canvas",
  "cp evil/mine.json5 conf",
  "cp evil/mine.json5 missing/../conf/mine.json5",
  "cp -t conf evil/mine.json5",
  "cp evil/mine.json5 hard-config",
  "cp -r evil .vscode",
  "mv conf other",
  "mv plugins other",
  "mv evil/tasks.json .mcp.json",
  "rm -rf state",
  "rm -r conf",
  "ln -f free.txt .mcp.json",
  "ln -s state/audit.key evil/link",
  "tee .mcp.json",
  "sed -i s/k/x/ .mcp.json",
  "sort -o conf/mine.json5 free.txt",
  "sort -oconf/mine.json5 free.txt",
  "dd if=free.txt of=conf/mine.json5",
  "truncate --size=0 conf/mine.json5",
  "git mv conf/mine.json5 other",
  "cat state/audit.key",
  "cat < state/audit.key",
  "cat key",
  "cat hard-key",
  "cat way/../state/audit.key",
  "cd state && cat audit.key",
  "cd state && ls",
  "head -c 9 STATE/../state/undo/objects/one",
  "ls state",
  "echo state/*",
  "cat sta*/audit.key",
  "grep -r S.CRET .",
  "grep -r S.CRET",
  "find . -name audit.key",
  "find -name audit.key",
  "cp -r state out",
  "cp -r . out",
  "cp key out",
];

function listAll(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith("state"))
    .sort();
}

describe("an allowed command on this machine", () => {
  it("neither changes nor reads what file tools may not", async () => {
    const root = makeRoot();
    const exec = execOf(start(root));
    await exec("echo first");
    const before = listAll(root);
    const hit: string[] = [];
    for (const command of COMMANDS) {
      const { text } = await exec(command);
      const isKept = Object.entries(FILES).every(
        ([path, kept]) =>
          existsSync(join(root, path)) && readFileSync(join(root, path), "utf8") === kept,
      );
      const isQuiet = !text.includes("SECRET") && !text.includes("objects\n");
      const isSame = JSON.stringify(listAll(root)) === JSON.stringify(before);
      if (!isKept || !isQuiet || !isSame || !/may not run/.test(text)) {
        hit.push(`${command}: ${text}`);
      }
    }
    expect(hit).toEqual([]);
  });

  it("is allowed for one call at most, never for good", async () => {
    const questions: { grants?: readonly unknown[] }[] = [];
    const root = makeRoot();
    const toolkit = start(root, {
      config: { tools: { exec: { ...HOST, ask: "on-miss" } } },
      approve: async (question) => {
        questions.push({ grants: question.command?.grants ?? [] });
        return { decision: "allow-always" };
      },
    });
    const exec = execOf(toolkit);
    await exec("cp evil/mine.json5 conf/mine.json5");
    await exec("cp evil/mine.json5 conf/mine.json5");
    expect(questions).toEqual([{ grants: [] }, { grants: [] }]);
  });

  it("reads and changes everything else", async () => {
    const root = makeRoot();
    const exec = execOf(start(root));
    for (const command of [
      "cp free.txt conf/other",
      "echo more >> free.txt && mkdir -p .vscode made && touch .vscode/extensions.json CLAUDE.md",
      "mv made moved",
      "rm -r evil",
    ]) {
      await exec(command);
    }
    expect((await exec("cat free.txt conf/mine.json5")).text).toContain("free");
    expect(readFileSync(join(root, "free.txt"), "utf8")).toBe("freemore\n");
    const made = ["conf/other", ".vscode/extensions.json", "CLAUDE.md", "moved"];
    expect(made.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(existsSync(join(root, "evil"))).toBe(false);
  });
});

const CLIENT_FILES = [
  ".mcp.json",
  ".cursor/mcp.json",
  ".claude/settings.local.json",
  ".vscode/tasks.json",
  "packages/one/.vscode/settings.json",
  ".zed/settings.json",
  ".gemini/settings.json",
  ".codex/config.toml",
  ".idea/workspace.xml",
  ".envrc",
  ".devcontainer/devcontainer.json",
  "opencode.json",
  ".VSCode/Launch.json",
];

async function writeTo(toolkit: Toolkit, path: string) {
  const result = await toolkit.invoke({
    id: `write ${path}`,
    name: "write",
    arguments: { path, content: "{}" },
  });
  return {
    reason: Reflect.get(Object(result.details), "reason"),
    text: JSON.stringify(result.content),
  };
}

describe("what configures clients, editors and shells", () => {
  it("is changed by no file tool, and the refusal names the key that frees it", async () => {
    const root = makeRoot();
    const toolkit = start(root);
    for (const path of CLIENT_FILES) {
      const { reason, text } = await writeTo(toolkit, path);
      expect([path, reason]).toEqual([path, "path_protected"]);
      expect(text).toContain("tools.fs.protectClientFiles");
    }
    const free = [".vscode/extensions.json", "AGENTS.md", "CLAUDE.md", ".cursorrules", ".env"];
    for (const path of free) expect((await writeTo(toolkit, path)).reason).toBeUndefined();
  });

  it("is free with the key, for file tools and commands", async () => {
    const root = makeRoot();
    const toolkit = start(root, {
      config: { tools: { exec: HOST, fs: { protectClientFiles: false } } },
    });
    for (const path of CLIENT_FILES) expect((await writeTo(toolkit, path)).reason).toBeUndefined();
    await execOf(toolkit)("echo mine > .mcp.json");
    expect(readFileSync(join(root, ".mcp.json"), "utf8")).toBe("mine\n");
    expect((await writeTo(toolkit, ".git/config")).reason).toBe("path_protected");
  });
});

describe("in the sandbox", () => {
  const { open } = createSandboxToolkits();

  it("client files that are there are kept, and those that a command makes are moved aside", async () => {
    const root = makeRoot();
    mkdirSync(join(root, ".vscode"));
    writeFileSync(join(root, ".vscode/tasks.json"), "kept");
    const exec = execOf(open({ root, stateDir: join(root, "state") }));
    const { text } = await exec(
      "echo x > .mcp.json; rm -f .mcp.json; mv .vscode other; echo x > .vscode/tasks.json; echo x > .vscode/settings.json; echo x > .vscode/extensions.json; mkdir .cursor; echo x > .cursor/mcp.json; ln -s evil .zed; ln -s evil .github; echo x > .envrc; echo x > AGENTS.md",
    );
    expect(text).toContain("a client or an editor may run programs by it");
    expect(readFileSync(join(root, ".mcp.json"), "utf8")).toBe("kept");
    expect(readFileSync(join(root, ".vscode/tasks.json"), "utf8")).toBe("kept");
    const left = readdirSync(root).map((name) => name.replace(/planted-.*/, "planted"));
    for (const name of [".cursor", ".zed", ".envrc"]) {
      expect(left).toContain(`${name}.planted`);
      expect(left).not.toContain(name);
    }
    expect(existsSync(join(root, ".vscode/settings.json"))).toBe(false);
    expect(existsSync(join(root, ".vscode/extensions.json"))).toBe(true);
    expect(left).toContain("AGENTS.md");
  });

  it("plugins are read-only, and the rest is not", async () => {
    const root = makeRoot();
    const config = {
      plugins: { load: { paths: [join(root, "plugins")] } },
      tools: { exec: { sandbox: "bwrap" as const } },
    };
    const exec = execOf(open({ root, stateDir: join(root, "state"), config }));
    await exec("echo x > plugins/one/index.js; mv plugins other; echo x > free.txt");
    expect(readFileSync(join(root, "plugins/one/index.js"), "utf8")).toBe("kept");
    expect(readFileSync(join(root, "free.txt"), "utf8")).toBe("x\n");
  });
});

describe("a name that is not UTF-8", () => {
  it("is refused instead of being taken for another file", async () => {
    const root = makeRoot();
    const odd = Buffer.concat([Buffer.from(`${root}/odd-`), Buffer.from([0xff])]);
    writeFileSync(odd, "odd");
    writeFileSync(join(root, "odd-\uFFFD"), "another");
    mkdirSync(Buffer.concat([Buffer.from(`${root}/folder-`), Buffer.from([0xff])]));
    symlinkSync(Buffer.concat([Buffer.from("folder-"), Buffer.from([0xff])]), join(root, "to-odd"));
    const toolkit = start(root);
    for (const path of ["odd-\uFFFD", "to-odd/new", "new-\uFFFD"]) {
      const { reason, text } = await writeTo(toolkit, path);
      expect([path, reason]).toEqual([path, "path_invalid"]);
      expect(text).toContain("not UTF-8");
    }
    expect(readFileSync(join(root, "odd-\uFFFD"), "utf8")).toBe("another");
    const { text } = await execOf(toolkit)("cat odd-*");
    expect(text).not.toContain("another");
    expect((await writeTo(toolkit, "even-é")).reason).toBeUndefined();
  });
});
