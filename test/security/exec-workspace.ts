// The folders in which commands are planned in tests: a root with files and a repository, and beside it
// a program that nothing may run.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CommandDecision, decidePlan } from "../../src/core/command/decide/decide-plan.js";
import type { AllowEntry } from "../../src/core/command/decide/match-entry.js";
import { type PlannedCommand, toSearchPath } from "../../src/core/command/plan.js";
import { createCommandPlanner } from "../../src/drivers/plan/index.js";

const CONTENT: Readonly<Record<string, string>> = {
  "README.md": "# The project\n\nWhat it does.\n",
  "notes.md": "the notes\n",
  "a.txt": "a\n",
  "b.txt": "b\n",
  "my file.txt": "mine\n",
  "data.csv": "id,name\n1,one\n2,two\n",
  "data.json": '{ "name": "data" }\n',
  "log.txt": "error one\nwarn two\nall done\n",
  "package.json": '{ "name": "sample", "scripts": { "test": "node script.js" } }\n',
  "script.js": 'console.log("hello");\n',
  "src/index.ts": "export function greet() {}\n",
  "src/main.ts": "greet();\n",
  "src/parts/one.ts": "export {};\n",
  "docs/intro.md": "the intro\n",
  "docs/guide.md": "the guide\n",
};

/** As people have them: names of programs, and the arguments of those that run code. */
export const REALISTIC_ENTRIES: readonly AllowEntry[] = [
  ..."ls echo cat head tail wc grep find sort uniq cut tr git pwd date sed awk jq du mkdir printf true false test ["
    .split(" ")
    .map((pattern) => ({ pattern })),
  { pattern: "node", argPattern: "^script\\.js$" },
  { pattern: "npm", argPattern: "^test$" },
];

export interface Workspace {
  readonly place: string;
  readonly root: string;
  /** A program that leaves a mark when it runs. */
  readonly canary: string;
  canaryRan(): boolean;
  plan(command: string, cwd?: string): Promise<PlannedCommand>;
  decide(command: string, entries?: readonly AllowEntry[]): Promise<CommandDecision>;
  write(path: string, text: string): void;
  git(...args: string[]): void;
  remove(): void;
}

export function createWorkspace(
  options: { readonly pathPrepend?: readonly string[] } = {},
): Workspace {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "exec-plan-")));
  chmodSync(place, 0o755);
  const root = join(place, "ws");
  const mark = join(place, "mark");
  const canary = join(place, "bin", "canary");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(CONTENT)) write(path, text);
  mkdirSync(dirname(canary));
  writeFileSync(canary, `#!/bin/sh\necho ran >> '${mark}'\ncat\n`);
  chmodSync(canary, 0o755);
  const searchPath = toSearchPath({ root, prepend: options.pathPrepend ?? [] });
  const planner = createCommandPlanner({ root, searchPath });
  const plan = (command: string, cwd = root) =>
    planner.plan({ command, cwd, signal: new AbortController().signal });
  return {
    place,
    root,
    canary,
    write,
    plan,
    canaryRan: () => existsSync(mark),
    async decide(command, entries = REALISTIC_ENTRIES) {
      return decidePlan({
        planned: await plan(command),
        security: "allowlist",
        ask: "off",
        entries,
      });
    },
    git: (...args) => runGit(root, args),
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** With a name and without the settings of whoever runs the tests. */
export function runGit(cwd: string, args: readonly string[]): void {
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  execFileSync("git", args, { cwd, env, stdio: "ignore" });
}
