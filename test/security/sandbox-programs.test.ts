// Programs around a sandboxed command: of a Node in somebody's folder only the program is seen, of
// folders with tools no keys, and what this library runs for itself never comes from the workspace.

import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunAnswer, RunOrder } from "./sandbox-program.js";
import { createSandboxRunner, IDENTITIES } from "./sandbox-run.js";

const run = promisify(execFile);
const [identity] = IDENTITIES;
let runner: Awaited<ReturnType<typeof createSandboxRunner>>;
beforeAll(async () => {
  runner = await createSandboxRunner();
});
afterAll(() => runner.remove());

function plant(folder: string, names: readonly string[], text = "planted"): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const toLook = (path: string) => `if grep -qs planted ${path}; then echo ${path}; fi`;

it.each([
  ["project", ["secret", "lib/secret", "bin/secret", "etc/npmrc", "lib/node_modules/npm/npmrc"]],
  [".", [".ssh/id_ed25519", "bin/secret", "lib/secret", "notes.txt"]],
  [".local", ["share/keyrings/secret", "state/secret", "secret"]],
])(
  "of a Node in %s of the home the program and npm are seen, and no secret",
  async (at, secrets) => {
    const { root, home } = runner.makePlace(identity);
    const prefix = join(home, at);
    plant(prefix, secrets);
    plant(prefix, ["lib/node_modules/npm/bin/npm-cli.js"]);
    mkdirSync(join(prefix, "bin"), { recursive: true });
    const node = join(prefix, "bin/node");
    copyFileSync(process.execPath, node);
    chmodSync(node, 0o755);
    symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(prefix, "bin/npm"));
    const npm = join(prefix, "bin/npm");
    const commands = [
      `${node} -p 6*7; readlink ${npm}; ${toLook(npm)}`,
      secrets.map((name) => toLook(join(prefix, name))).join("\n"),
    ];
    const order: RunOrder = { root, home, containment: "sandbox", commands };
    const line = [join(runner.folder, "program.mjs"), JSON.stringify(order)];
    const { stdout } = await run(node, line, { env: { ...process.env, HOME: home } });
    // The program of the line above printed it.
    const { kind, outputs } = JSON.parse(stdout) as RunAnswer;
    expect(kind).toBe("bwrap");
    expect(outputs[0]?.trim().split("\n")).toEqual([
      "42",
      "../lib/node_modules/npm/bin/npm-cli.js",
      npm,
    ]);
    expect(outputs[1]?.trim()).toBe("");
  },
  60_000,
);

it("folders with tools are seen without the keys that are in them", async () => {
  const { root, home } = runner.makePlace(identity);
  const programs = [
    ".pyenv/versions/3.11/bin/python",
    ".volta/tools/tool",
    ".rustup/settings.toml",
  ];
  const keys = [
    ".pyenv/versions/3.11/pip.conf",
    ".pyenv/versions/3.11/envs/own/pip.conf",
    ".nvm/versions/node/v20.0.0/etc/npmrc",
    ".nvm/.npmrc",
    ".fnm/node-versions/v20/installation/etc/npmrc",
    ".asdf/installs/nodejs/20/etc/npmrc",
    ".asdf/installs/rust/1/credentials.toml",
    ".rbenv/.env",
    ".volta/hooks.json",
    ".cargo/credentials.toml",
    ".local/lib/app/.env",
    ".local/share/mise/installs/node/20/etc/npmrc",
  ];
  plant(home, [...programs, ...keys]);
  const look = [...programs, ...keys].map((name) => toLook(join(home, name))).join("\n");
  const order = { root, home, containment: "sandbox", commands: [look] } as const;
  const { outputs } = await runner.run(identity, order);
  expect(outputs[0]?.trim().split("\n")).toEqual(programs.map((name) => join(home, name)));
});

const OWN_PROGRAMS = ["bwrap", "bash", "dash", "sh", "setpriv", "unshare", "mkfifo", "env", "stty"];

it.each([
  ["a folder of the workspace", (root: string) => join(root, "bin")],
  ["a link into it", (root: string) => `${root}-link`],
  ["a relative folder", () => "bin"],
  ["the working folder, by an empty entry", () => ""],
])(
  "nothing that is run to contain commands comes from %s on the PATH",
  async (_name, entry) => {
    const { root, home } = runner.makePlace(identity);
    const hit = join(root, "hit");
    for (const folder of [root, join(root, "bin")]) {
      plant(folder, OWN_PROGRAMS, `#!/bin/sh\n/bin/touch ${hit}\n`);
      for (const name of OWN_PROGRAMS) chmodSync(join(folder, name), 0o755);
    }
    symlinkSync(join(root, "bin"), `${root}-link`);
    const options = { cwd: root, env: { HOME: home, PATH: `${entry(root)}:${process.env.PATH}` } };
    for (const containment of ["sandbox", "host"] as const) {
      for (const input of [undefined, "terminal"] as const) {
        const order = { root, home, containment, ...(input && { input }), commands: ["pwd"] };
        const line = [join(runner.folder, "program.mjs"), JSON.stringify(order)];
        const { stdout } = await run(process.execPath, line, options);
        // The program of the line above printed it.
        expect((JSON.parse(stdout) as RunAnswer).outputs[0]).toContain(root);
      }
    }
    expect(existsSync(hit)).toBe(false);
    execFileSync("/bin/sh", ["-c", "unshare"], options);
    expect(existsSync(hit)).toBe(true);
  },
  60_000,
);
