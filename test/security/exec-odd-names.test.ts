// Names that are not UTF-8 read as U+FFFD, so a file may have a harmless twin under that name. What
// was examined must be what runs, or the command is not allowed.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit, type ToolkitOptions } from "clawtools";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { execOf } from "./sandbox-toolkit.js";

const TWIN = "$'\\xef\\xbf\\xbd'";
const BYTE = "$'\\xff'";
const HOST = { host: "gateway", sandbox: "none", security: "allowlist", ask: "off" } as const;

let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "odd-names-")));
  root = join(base, "root");
  mkdirSync(join(root, "state"), { recursive: true });
  writeFileSync(join(root, "state/secret.txt"), "SECRET\n");
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
});

const canary = () => join(base, "ran");

function shell(script: string): void {
  const user =
    "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a";
  execFileSync("bash", ["-ec", `${user} HOME=${base} GIT_CONFIG_NOSYSTEM=1; ${script}`], {
    cwd: root,
    stdio: "pipe",
  });
}

function start(options: Partial<ToolkitOptions> = {}) {
  const toolkit = createToolkit({
    root,
    stateDir: join(root, "state"),
    approvals: {
      version: 1,
      agents: { "*": { allowlist: [{ pattern: "git" }, { pattern: "cat" }] } },
    },
    config: { tools: { exec: HOST } },
    ...options,
  });
  onTestFinished(() => toolkit.close());
  return execOf(toolkit);
}

const MADE =
  "git init -q; echo hi > f; git add f; git commit -qm x; echo '* filter=x' > .gitattributes";
const EVIL = () => `git config filter.x.clean 'touch ${canary()}; cat'; sleep 0.01; echo ho > f`;

describe("git does not read settings of another name than was examined", () => {
  it.each<[string, string]>([
    [
      "a file that names the repository",
      `mv .git ../g${TWIN}; cp -r ../g${TWIN} ../g${BYTE}; printf 'gitdir: ../g\\xff\\n' > .git`,
    ],
    [
      "a link to the repository",
      `mv .git ../g${TWIN}; cp -r ../g${TWIN} ../g${BYTE}; ln -s ../g${BYTE} .git`,
    ],
    [
      "a link to the settings",
      `mv .git/config .git/c${TWIN}; cp .git/c${TWIN} .git/c${BYTE}; ln -s c${BYTE} .git/config`,
    ],
  ])("%s", async (_, twins) => {
    shell(`mkdir sub; cd sub; ${MADE}; ${twins}; ${EVIL()}`);
    const exec = start();
    for (const command of ["git status", "git diff", "git diff --stat", "git ls-files -m"]) {
      expect((await exec(`cd sub && ${command}`)).text).toContain("may not run");
    }
    expect(existsSync(canary())).toBe(false);
    spawnSync("git", ["status"], {
      cwd: join(root, "sub"),
      env: { PATH: process.env.PATH, HOME: base },
    });
    expect(existsSync(canary())).toBe(true);
  });
});

it("a saved yes does not hold for a script behind a name that is not UTF-8", async () => {
  shell(`echo 'echo fine' | tee s${TWIN} > s${BYTE}; chmod +x s*; ln -s s${BYTE} s.sh`);
  const decisions = ["allow-always"];
  const exec = start({
    config: { tools: { exec: { ...HOST, ask: "on-miss" } } },
    approve: async () => ({ decision: decisions.pop() === undefined ? "deny" : "allow-always" }),
  });
  await exec("./s.sh");
  shell(`echo 'touch ${canary()}' > s${BYTE}`);
  expect((await exec("./s.sh")).text).toMatch(/denied|may not run/);
  expect(existsSync(canary())).toBe(false);
});

it("git is not listed for a work tree with the state folder in it", async () => {
  shell("git init -q; echo hi > a; git add a; git commit -qm x");
  shell('git update-index --add --cacheinfo "100644,$(git hash-object -w a),state/secret.txt"');
  const exec = start();
  for (const command of [
    "git grep --untracked SECRET",
    "git grep --untracked -e SECRET",
    "git grep --untracked SECRET ':/'",
    "git grep SECRET",
    "git diff",
  ]) {
    const { text } = await exec(command);
    expect(text).toContain("may not run");
    expect(text).not.toContain("+SECRET");
  }
});
