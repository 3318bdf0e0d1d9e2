// Repositories that were prepared to run a program as soon as git looks at them, on the host through a
// toolkit that says no: planning a command reads them, and starts nothing.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createToolkit, type ToolkitOptions } from "clawtools";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from "vitest";
import { sampleRows } from "../fakes/campaign.js";
import { createWorkspace, runGit, type Workspace } from "./exec-workspace.js";

const TIMEOUT_MS = 240_000;
const ENV = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" };

let workspace: Workspace;
/** Made once: a repository with a past, and the same whose index lacks a folder that is not there. */
let plain: Workspace;
let partial: Workspace;

beforeAll(() => {
  plain = createWorkspace();
  partial = createWorkspace();
  for (const { git } of [plain, partial]) {
    git("init", "-q", "--template=");
    git("add", ".");
    git("commit", "-qm", "first");
  }
  plain.write("a.txt", "changed\n");
  partial.git("sparse-checkout", "init", "--cone", "--sparse-index");
  partial.git("sparse-checkout", "set", "docs");
  const args = ["rev-parse", "HEAD:src"];
  const { stdout } = spawnSync("git", args, { cwd: partial.root, encoding: "utf8" });
  rmSync(join(partial.root, ".git/objects", stdout.slice(0, 2), stdout.slice(2, 40)));
});

afterAll(() => {
  for (const { remove } of [plain, partial]) remove();
});

beforeEach(() => {
  workspace = createWorkspace();
  // Else it would wait for an input that stays open.
  writeFileSync(workspace.canary, `#!/bin/sh\necho ran > '${workspace.place}/mark'\nexit 1\n`);
});

afterEach(() => workspace.remove());

const copy = ({ root }: Workspace) => cpSync(root, workspace.root, { recursive: true });
const set = (key: string, value = workspace.canary) => workspace.git("config", key, value);
const configure = (text: string) => workspace.write(".git/config", text);
const touch = () => utimesSync(join(workspace.root, "b.txt"), 1, 1);

/** It lacks an object, and git would ask for it there. */
const fetchFrom = (url: string, ...settings: readonly (readonly [string, string?])[]) => {
  rmSync(workspace.root, { recursive: true });
  copy(partial);
  set("core.repositoryformatversion", "1");
  set("remote.x.promisor", "true");
  for (const [key, value] of settings) set(key, value);
  set("remote.x.url", url);
};

const fsmonitor = () => `[core]\n\tfsmonitor = ${workspace.canary}\n`;
const bare = "[core]\n\trepositoryformatversion = 0\n";

type Row = readonly [name: string, command: string, prepare: () => void];

const ROWS: readonly Row[] = [
  ["remote.uploadpack", "git ls-files", () => fetchFrom("/srv/x", ["remote.x.uploadpack"])],
  [
    "an ext:: url",
    "git ls-files",
    () => fetchFrom(`ext::${workspace.canary}`, ["protocol.ext.allow", "always"]),
  ],
  ["core.sshCommand", "git ls-files", () => fetchFrom("ssh://x/y", ["core.sshCommand"])],
  ["core.gitProxy", "git ls-files", () => fetchFrom("git://127.0.0.1/x", ["core.gitProxy"])],
  ["core.fsmonitor", "git status", () => set("core.fsmonitor")],
  [
    "a key in the line of its section",
    "git status",
    () => configure(`${bare}[CORE]FsMonitor=${workspace.canary}`),
  ],
  [
    "a key behind a comment that ends like a line that goes on",
    "git status",
    () => configure(`${bare}[user]\n\tname = "a # b" ; c \\\n${fsmonitor()}`),
  ],
  [
    "a key behind a value over two lines",
    "git status",
    () => configure(`${bare}[user]\r\n\tname = "a \\\n" \\\n[x] #"\n${fsmonitor()}`),
  ],
  [
    "an include",
    "git status",
    () => {
      workspace.write("extra.ini", fsmonitor());
      set("include.path", "../extra.ini");
    },
  ],
  [
    "an include with a condition",
    "git status",
    () => {
      workspace.write("extra.ini", fsmonitor());
      set("includeIf.gitdir:**.path", "../extra.ini");
    },
  ],
  [
    "the settings of a work tree",
    "git status",
    () => {
      set("extensions.worktreeConfig", "true");
      workspace.write(".git/config.worktree", fsmonitor());
    },
  ],
  [
    "a .git that is a file",
    "git status",
    () => {
      set("core.fsmonitor");
      renameSync(join(workspace.root, ".git"), join(workspace.root, "store"));
      workspace.write(".git", "gitdir: store\n");
    },
  ],
  [
    "a shared folder elsewhere",
    "git status",
    () => {
      cpSync(join(workspace.root, ".git"), join(workspace.root, "store"), { recursive: true });
      workspace.write(".git/commondir", "../store\n");
      workspace.write("store/config", bare + fsmonitor());
    },
  ],
  [
    "a linked work tree",
    "cd tree && git status",
    () => {
      workspace.git("worktree", "add", "-q", "tree");
      set("core.fsmonitor");
    },
  ],
  [
    "a repository above one that git does not take",
    "cd sub && git status",
    () => {
      runGit(workspace.root, ["init", "-q", "sub"]);
      workspace.write("sub/.git/HEAD", "none\n");
      set("core.fsmonitor");
    },
  ],
  [
    "a bare repository",
    "cd sub && git status",
    () => {
      cpSync(join(workspace.root, ".git"), join(workspace.root, "sub"), { recursive: true });
      workspace.write("sub/config", `${bare}${fsmonitor()}\tworktree = ..\n`);
    },
  ],
  [
    "a filter",
    "git status",
    () => {
      set("filter.x.clean");
      workspace.write(".gitattributes", "* filter=x\n");
      touch();
    },
  ],
  ["diff.external", "git diff", () => set("diff.external")],
  [
    "textconv",
    "git log -p",
    () => {
      set("diff.x.textconv");
      workspace.write(".gitattributes", "* diff=x\n");
    },
  ],
  [
    "a hook, in a folder of its own",
    "git status",
    () => {
      workspace.write("tools/post-index-change", `#!/bin/sh\n'${workspace.canary}'\n`);
      chmodSync(join(workspace.root, "tools/post-index-change"), 0o755);
      set("core.hooksPath", "tools");
      touch();
    },
  ],
  ["an alias", "git look", () => set("alias.look", `!${workspace.canary}`)],
];

/** They say no to what is not listed. */
const TOOLKITS: readonly Partial<ToolkitOptions>[] = [
  { approvals: { version: 1, agents: {} } },
  { approvals: { version: 1, agents: { "*": { allowlist: [{ pattern: "git" }] } } } },
  { approvals: { version: 1, agents: {} }, approve: async () => ({ decision: "deny" }) },
];

async function tryAll(command: string): Promise<void> {
  const { root, place } = workspace;
  const config = { tools: { exec: { sandbox: "none" } } } as const;
  for (const options of TOOLKITS) {
    const toolkit = createToolkit({ root, stateDir: join(place, "state"), config, ...options });
    onTestFinished(() => toolkit.close());
    for (const one of new Set([command, "git status", "git ls-files", "git diff", "git log"])) {
      await toolkit.invoke({ id: one, name: "exec", arguments: { command: one } });
    }
  }
}

describe("a repository prepared with", () => {
  it.each(sampleRows(ROWS, 4))(
    "%s runs nothing while a command is planned and refused, and does by a plain %s",
    async (_, command, prepare) => {
      mkdirSync(join(workspace.root, "sub"));
      copy(plain);
      prepare();
      await tryAll(command);
      expect(workspace.canaryRan()).toBe(false);
      spawnSync("/bin/sh", ["-c", command], { cwd: workspace.root, env: ENV, stdio: "ignore" });
      expect(workspace.canaryRan()).toBe(true);
    },
    TIMEOUT_MS,
  );
});
