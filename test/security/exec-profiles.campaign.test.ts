// Programs that a list covers by their profiles, looked at with the eyes of an attacker: which option,
// word, file of the workspace or folder makes one of them start another, read elsewhere or write.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createToolkit, type ToolkitOptions } from "clawtools";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { toSearchPath } from "../../src/core/command/plan.js";
import { findProfile, isSteering } from "../../src/core/command/profiles/programs.js";
import { sampleRows } from "../fakes/campaign.js";
import { createWorkspace, type Workspace } from "./exec-workspace.js";

/** Each by its bare name, without arguments. */
const NAMES =
  "cat ls strings file tree ps column date touch find tar egrep fgrep grep awk jq sed git node npm npx yarn pnpm python3 python perl setarch ldd tsort ip cksum echo";

let workspace: Workspace;

beforeEach(() => {
  workspace = createWorkspace();
  const folder = dirname(workspace.canary);
  // Profiles go by names, so a program that this machine lacks may be any other.
  for (const name of NAMES.split(" ").filter(isMissing)) {
    copyFileSync("/bin/true", join(folder, name));
  }
});

afterEach(() => workspace.remove());

function isMissing(name: string): boolean {
  return !toSearchPath({ root: "/" }).some((folder) => existsSync(join(folder, name)));
}

type Run = (command: string) => Promise<{ readonly code: unknown; readonly text: string }>;

/** Programs are looked for in `folders` first. */
function configOf(...folders: string[]): NonNullable<ToolkitOptions["config"]> {
  const pathPrepend = [...folders, dirname(workspace.canary)];
  return { tools: { exec: { sandbox: "none", pathPrepend } } };
}

function openToolkit(options: Partial<ToolkitOptions> = {}): Run {
  const { root, place } = workspace;
  const toolkit = createToolkit({
    root,
    stateDir: join(place, "state"),
    config: configOf(),
    approvals: {
      version: 1,
      defaults: { security: "allowlist", ask: "on-miss", askFallback: "deny" },
      agents: { "*": { allowlist: NAMES.split(" ").map((pattern) => ({ pattern })) } },
    },
    ...options,
  });
  onTestFinished(() => toolkit.close());
  let calls = 0;
  return async (command) => {
    const id = `call_${++calls}`;
    const result = await toolkit.invoke({ id, name: "exec", arguments: { command } });
    const code = Reflect.get(Object(result.details), "code");
    return { code, text: JSON.stringify(result.content) };
  };
}

describe("what a profile does not cover", () => {
  it.each(
    sampleRows(
      [
        // A file whose words become arguments.
        "strings @args.txt",
        "strings -n @args.txt a.txt",
        "strings -- @/etc/passwd",
        // In the second style of ps, e shows the environment of every program.
        "ps -auxe",
        "ps -xe",
        "ps -e -x",
        "ps axe",
        "ps -o args",
        "perl -V",
        "npx -V",
        "npm --help",
        "npm -v",
        // A time zone is a file.
        `date -d 'TZ="/etc/passwd" now'`,
        `touch -d 'TZ="../x" now' a.txt`,
        `find . -newermt 'TZ="/etc/passwd" now'`,
        "column -n -- -x",
        // Texts of another language come from a file.
        `awk 'BEGIN{bindtextdomain("/etc")}'`,
        `awk 'BEGIN{print dcgettext("a","b")}'`,
        // Programs of the system that no profile knows.
        "setarch x86_64 sh",
        "ldd ./script.js",
        "tsort a.txt",
        "ip netns exec x sh",
        "cksum -c a.txt",
        // A `>` in brackets compares unless print stands there too, and a bracket may be part of a text.
        `awk '{ print "(" > "out"; x = ")" }' a.txt`,
        `awk 'BEGIN { f = "out"; for (print 1 > f; 0;); }'`,
        `awk 'BEGIN { f = "out"; for (print(1) > f; 0;); }'`,
        `awk '{ print($1) > "out" }' a.txt`,
        `awk '{ x = /(/; print > "out"; y = /)/ }' a.txt`,
        `awk '/{/ { print > "out" }' a.txt`,
        `awk '{ if (NR > 1) print > "out" }' a.txt`,
        `awk 'NR > 1 { system("id") }' a.txt`,
        // The environment has two names, and blanks may stand before one of them.
        "jq -n '$ENV.HOME'",
        "jq -n '$ ENV'",
        `jq -n '"\\(env)"'`,
        `jq -n '@json "\\($ENV)"'`,
        "jq -n '$__prog_args'",
        "jq --arg x",
        "jq --rawfile x /etc/passwd -n '$x'",
        "jq --arg a b -f script.js",
        "jq --indent --arg . data.json /etc/passwd",
        "sed -n '/a/{p;e id' a.txt",
        "sed '/a/{e id;p}' a.txt",
        "sed 'y/a/b/e' a.txt",
        "sed '/a/{w out}' a.txt",
      ],
      4,
    ),
  )("%s", async (command) => {
    const run = openToolkit();
    const { code, text } = await run(command);
    expect(code, text).toMatch(/^(?:approval_required|denied)$/);
    expect(text).not.toContain("was not found");
  });

  it.each(
    sampleRows(
      [
        // Its letters take their values from the next words, whatever stands behind them.
        "tree -Po x out.html",
        "tree -Pl x .",
        "tree -L1o out.html .",
        // Begins to read a program.
        "python3 -v",
        // Files of the workspace say what these start, also for such a question.
        "npm --version",
        "npx --version",
        "yarn --version",
        "pnpm --version",
      ],
      4,
    ),
  )("%s, where there is such a program", (command) => {
    const [name = "", ...args] = command.split(" ");
    const program = { file: `/usr/bin/${name}`, path: `/usr/bin/${name}` };
    expect(findProfile(program)?.read(args).ok ?? false).toBe(false);
    expect(findProfile(program) !== undefined || isSteering(program)).toBe(true);
  });

  it.each(
    sampleRows(
      [
        "strings a.txt",
        "ps -ef",
        "ps aux",
        "date -d tomorrow",
        "date -Iseconds",
        "perl -v",
        "node -v",
        "ps",
        "awk 'NR > 1' data.csv",
        "awk -F, 'NR>1 && $1>=1 {print $2}' data.csv",
        "awk '{ if (length($0) > 3) print }' log.txt",
        `jq -r '.name as $n | [$n, "\\($n)!"] | @csv' data.json`,
        "jq --arg n data 'select(.name == $n)' data.json",
        "jq --indent 4 . data.json",
        "sed -n '/error/{p;q}' log.txt",
        "sed -n '1~2p' log.txt",
        "sed 'y/abc/xyz/' a.txt",
      ],
      4,
    ),
  )("but %s", async (command) => {
    const { code, text } = await openToolkit()(command);
    expect(code, text).toBeUndefined();
  });

  it("diff -r goes into folders, and not through the links in them", async () => {
    writeFileSync(join(workspace.place, "secret.txt"), "a secret\n");
    for (const folder of ["one", "two"]) mkdirSync(join(workspace.root, folder));
    symlinkSync(join(workspace.place, "secret.txt"), join(workspace.root, "one/x"));
    symlinkSync(workspace.place, join(workspace.root, "one/y"));
    workspace.write("two/x", "plain\n");
    workspace.write("two/y/secret.txt", "plain\n");
    const entries = [{ pattern: "diff" }];
    expect(await workspace.decide("diff -r one two", entries)).toMatchObject({ outcome: "allow" });
    const approvals = { version: 1, agents: { "*": { allowlist: entries } } };
    const { code, text } = await openToolkit({ approvals })("diff -rN one two");
    expect(code, text).toBeUndefined();
    expect(text).not.toContain("a secret");
  });

  it("an unknown program is covered by its name only where its owner put it", async () => {
    const { outcome } = await workspace.decide("tsort a.txt", [{ pattern: "/usr/**" }]);
    expect(outcome).toBe("deny");
    const named = [{ pattern: "tsort", argPattern: "^a\\.txt$" }];
    expect(await workspace.decide("tsort a.txt", named)).toMatchObject({ outcome: "allow" });
    const own = [{ pattern: workspace.canary }];
    expect(await workspace.decide(workspace.canary, own)).toMatchObject({ outcome: "allow" });
  });
});

describe("programs that stand for others", () => {
  const names = (file: string, path = file) => ({ file, path });

  it.each(
    sampleRows(
      [
        names("/home/me/.pyenv/shims/python3"),
        names("/home/me/.local/share/mise/shims/jq", "/usr/bin/mise"),
        names("/home/me/.volta/bin/node", "/home/me/.volta/bin/volta-shim"),
        names("/home/me/.cargo/bin/rg", "/home/me/.cargo/bin/rustup"),
        names("/usr/bin/yarn", "/usr/lib/node_modules/corepack/dist/yarn.js"),
      ],
      4,
    ),
  )("$file has no profile, because the workspace says what it is", (program) => {
    expect(findProfile(program)).toBeUndefined();
    expect(isSteering(program)).toBe(true);
  });
});

describe("a link of the workspace to a program", () => {
  /** Nothing but their paths: of the first four that covers no arguments at all. */
  const entries = "env xargs perl bash ls".split(" ").map((name) => ({
    pattern: realpathSync(`/usr/bin/${name}`),
  }));

  it.each([
    ["echo", "env", "canary"],
    ["printf", "xargs", "canary"],
    ["true", "bash", "-c canary"],
    ["basename", "perl", "-e system('canary')"],
  ])("%s, which is %s, is not taken for what it is called", async (name, program, args) => {
    symlinkSync(`/usr/bin/${program}`, join(workspace.root, name));
    const run = openToolkit({
      approvals: {
        version: 1,
        defaults: { security: "allowlist", ask: "on-miss", askFallback: "deny" },
        agents: { "*": { allowlist: entries } },
      },
    });
    const { code, text } = await run(`./${name} ${args.replaceAll(/[()']/g, "\\$&")}`);
    expect(code, text).toBe("approval_required");
    expect(workspace.canaryRan()).toBe(false);
  });

  it("is covered as the program that it leads to", async () => {
    symlinkSync("/usr/bin/ls", join(workspace.root, "list"));
    expect(await workspace.decide("./list -l", entries)).toMatchObject({ outcome: "allow" });
  });
});

describe("places that each process has for itself", () => {
  it
    .skipIf(process.platform !== "linux")
    .each([
      "cat /proc/self/cwd/../x.txt",
      "cat /proc/thread-self/cwd/../x.txt",
      "cat /dev/fd/../cwd/../x.txt",
      "cat here/../x.txt",
      "touch here/../x.txt",
      "cat < here/../x.txt",
    ])("%s is not covered: it leads elsewhere for the program", async (command) => {
    symlinkSync("/proc/self/cwd", join(workspace.root, "here"));
    writeFileSync(join(workspace.place, "x.txt"), "outside\n");
    workspace.write("src/x.txt", "inside\n");
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(join(workspace.root, "src/parts"));
    const { code, text } = await openToolkit()(command);
    expect(code, text).toMatch(/^(?:approval_required|denied)$/);
  });
});

describe("programs that are found by others", () => {
  it.each([
    ["egrep a a.txt", "grep"],
    ["fgrep a a.txt", "grep"],
    ["tar tzf a.tgz", "gzip"],
  ])("%s is not covered where %s may be one of the workspace", async (command, helper) => {
    const folder = join(workspace.root, "node_modules/.bin");
    mkdirSync(folder, { recursive: true });
    workspace.write("a.tgz", "");
    const run = openToolkit({ config: configOf(folder) });
    expect((await run(command)).code).toBeUndefined();
    writeFileSync(join(folder, helper), `#!/bin/sh\nexec '${workspace.canary}'\n`);
    chmodSync(join(folder, helper), 0o755);
    const { code, text } = await run(command);
    expect(code, text).toBe("approval_required");
    expect(text).toContain(helper);
    expect(workspace.canaryRan()).toBe(false);
  });

  it("a script is not covered where its interpreter lies in the workspace", async () => {
    const folder = join(workspace.root, "node_modules/.bin");
    const tool = join(workspace.place, "bin", "tool");
    writeFileSync(tool, "#!/usr/bin/env runner\n");
    chmodSync(tool, 0o755);
    mkdirSync(folder, { recursive: true });
    symlinkSync(workspace.canary, join(folder, "runner"));
    const entries = [{ pattern: tool }, { pattern: tool, argPattern: "^$" }];
    const run = openToolkit({
      config: configOf(folder),
      approvals: {
        version: 1,
        defaults: { security: "allowlist", ask: "on-miss", askFallback: "deny" },
        agents: { "*": { allowlist: entries } },
      },
    });
    expect((await run(tool)).code).toBe("approval_required");
    expect(workspace.canaryRan()).toBe(false);
  });
});

describe("a home folder inside of the root", () => {
  it.each(["jq . data.json", "file a.txt"])("%s takes its settings from there", async (command) => {
    vi.stubEnv("HOME", workspace.root);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const inside = openToolkit();
    const { code, text } = await inside(command);
    expect(code).toBe("approval_required");
    expect(text).toContain("home folder");
    vi.stubEnv("HOME", workspace.place);
    expect((await openToolkit({ stateDir: join(workspace.place, "other") })(command)).code).toBe(
      undefined,
    );
  });

  it("git by settings that were written there is not covered", async () => {
    vi.stubEnv("HOME", workspace.root);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    workspace.git("init", "-q");
    workspace.git("add", ".");
    workspace.git("commit", "-qm", "first");
    const run = openToolkit();
    expect((await run("git status")).code).toBeUndefined();
    workspace.write(".gitattributes", "* filter=lfs\n");
    workspace.write("a.txt", "changed\n");
    workspace.write(".gitconfig", `[filter "lfs"]\n\tclean = ${workspace.canary}\n`);
    const { code, text } = await run("git status");
    expect(code).toBe("approval_required");
    expect(text).toContain("filter.lfs.clean");
    expect(workspace.canaryRan()).toBe(false);
  });
});
