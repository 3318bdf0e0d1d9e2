// Commands that try to run what nobody allowed, through both doors and with real processes: a list of
// ordinary programs, nobody to ask, no sandbox. A shell that trusts the first word is hit in the same
// folder, so the canary can run there.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClawtools, createToolkit, type ToolkitOptions } from "clawtools";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import bypasses from "../data/exec-bypass.json" with { type: "json" };
import { resolveTool } from "../fakes/resolve-tool.js";
import { createWorkspace, type Workspace } from "./exec-workspace.js";

const TIMEOUT_MS = 240_000;
const MAX_NAIVE_SECONDS = 2;
const AT_ONCE = 4;
const NOT_RUN = /^(?:denied|approval_required|invalid_input|not_found)$/;

/** ls, echo, cat, head, tail, wc, git status, find without -exec, node script.js. */
const APPROVALS = {
  version: 1,
  defaults: { security: "allowlist", ask: "on-miss", askFallback: "deny" },
  agents: {
    "*": {
      allowlist: [
        ..."ls echo cat head tail wc find".split(" ").map((pattern) => ({ pattern })),
        { pattern: "git", argPattern: "^status$" },
        { pattern: "node", argPattern: "^script\\.js$" },
      ],
    },
  },
};

/** Other lists let these through: they read what is secret, or write where nobody looks. */
const FURTHER = [
  'echo "$(id)"',
  'echo "`id`"',
  "head $HOME/.ssh/id_rsa",
  "head /etc/passwd",
  "sort -o/tmp/x a.txt",
  "sort --compress-program=canary a.txt",
  "grep -f/etc/passwd a.txt",
  "tail -fqn1 a.txt",
  "jq env",
];

let workspace: Workspace;

beforeEach(() => {
  workspace = createPlace();
});

afterEach(() => workspace.remove());

function createPlace(): Workspace {
  const made = createWorkspace();
  const { place, root, write } = made;
  made.git("init", "-q");
  write("s.sh", "canary\n");
  write("p.cjs", 'require("node:child_process").spawnSync("canary");\n');
  write("package.json", '{ "name": "sample", "scripts": { "t": "canary" } }\n');
  mkdirSync(join(root, "sub"));
  mkdirSync(join(place, "hk"));
  for (const program of [join(root, "ls"), join(place, "hk", "pre-commit")]) {
    writeFileSync(program, "#!/bin/sh\nexec canary\n");
    chmodSync(program, 0o755);
  }
  return made;
}

type Run = (command: string) => Promise<{ readonly isError: boolean; readonly code: unknown }>;

function configOf({ canary }: Workspace): NonNullable<ToolkitOptions["config"]> {
  return { tools: { exec: { sandbox: "none", pathPrepend: [dirname(canary)] } } };
}

function throughToolkit({ root, place }: Workspace): Run {
  const toolkit = createToolkit({
    root,
    stateDir: join(place, "state"),
    config: configOf(workspace),
    approvals: APPROVALS,
  });
  onTestFinished(() => toolkit.close());
  let calls = 0;
  return async (command) => {
    const id = `call_${++calls}`;
    const { isError, details } = await toolkit.invoke({ id, name: "exec", arguments: { command } });
    return { isError, code: Reflect.get(Object(details), "code") };
  };
}

/** Its list lies in the state folder of this user. */
function throughRegistry({ root, place }: Workspace): Run {
  const stateDir = join(place, "state");
  mkdirSync(stateDir, { mode: 0o700 });
  writeFileSync(join(stateDir, "exec-approvals.json"), JSON.stringify(APPROVALS), { mode: 0o600 });
  vi.stubEnv("CLAWTOOLS_STATE_DIR", stateDir);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const ctx = { workspaceDir: root, config: configOf(workspace) };
  const tool = resolveTool({ registry: createClawtools().tools, name: "exec", ctx });
  return async (command) => {
    const { isError, details } = await tool.execute("call", { command });
    return { isError: isError === true, code: Reflect.get(Object(details), "code") };
  };
}

/** As one who looks at the first word of a command, or not even at that, would run it. */
async function runNaively({ root, place, canary }: Workspace, command: string): Promise<void> {
  const PATH = `${dirname(canary)}:${dirname(process.execPath)}:/usr/bin:/bin`;
  const who = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b.c", GIT_COMMITTER_NAME: "A" };
  const limit = ["--signal", "KILL", String(MAX_NAIVE_SECONDS)];
  const shell = ["/bin/bash", "--norc", "-c", command.replaceAll("\0", "")];
  const child = spawn("timeout", [...limit, ...shell], {
    cwd: root,
    env: { PATH, HOME: place, ...who, GIT_COMMITTER_EMAIL: "a@b.c" },
    stdio: "ignore",
  });
  await once(child, "close");
}

describe.each([
  ["the toolkit", throughToolkit],
  ["the bare registry", throughRegistry],
] as const)("c1 · through %s", (_, open) => {
  it(
    "the canary never runs",
    async () => {
      const run = open(workspace);
      const wrong: string[] = [];
      for (const { id, cmd } of [
        ...bypasses,
        ...FURTHER.map((text) => ({ id: text, cmd: text })),
      ]) {
        const { isError, code } = await run(cmd.replaceAll("{ROOT}", workspace.place));
        if (!isError || !NOT_RUN.test(String(code))) wrong.push(`${id}: ${String(code)}`);
        if (workspace.canaryRan()) wrong.push(`${id}: the canary ran`);
        rmSync(join(workspace.place, "mark"), { force: true });
      }
      expect(wrong).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it("what the list has runs", async () => {
    const run = open(workspace);
    rmSync(join(workspace.root, "ls"));
    for (const command of [
      "ls -la",
      "echo x | wc -l",
      "cat a.txt && head -n 1 b.txt",
      "git status",
      "find . -name '*.md'",
      "node script.js",
    ]) {
      expect([command, await run(command)]).toEqual([command, { isError: false, code: undefined }]);
    }
  });
});

it(
  "the same commands reach the canary by a plain shell",
  async () => {
    expect(bypasses.length).toBeGreaterThanOrEqual(87);
    // Side by side, each in a folder of its own: some go on until their time is over.
    const left = [...bypasses];
    const countHits = async (place: Workspace): Promise<number> => {
      let hits = 0;
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await runNaively(place, next.cmd.replaceAll("{ROOT}", place.place));
        if (place.canaryRan()) hits++;
        rmSync(join(place.place, "mark"), { force: true });
      }
      return hits;
    };
    const places = [workspace, ...Array.from({ length: AT_ONCE - 1 }, createPlace)];
    onTestFinished(() => {
      for (const { remove } of places) remove();
    });
    const counts = await Promise.all(places.map(countHits));
    const hits = counts.reduce((sum, count) => sum + count, 0);
    expect(hits).toBeGreaterThan(bypasses.length / 2);
  },
  TIMEOUT_MS,
);
