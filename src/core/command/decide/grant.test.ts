// What "allow always" saves for a step, and what it cannot save.

import { describe, expect, it } from "vitest";
import type { CommandPlan } from "../plan.js";
import { grantFor } from "./decide-plan.js";

function planOf(
  path: string,
  args: readonly string[],
  scripts: readonly string[] = [],
): CommandPlan {
  const program = {
    path,
    device: 1,
    inode: 1,
    sizeBytes: 1,
    modifiedMs: 1,
    ownerId: 0,
    mode: 0o755,
  };
  const script = args.find((word) => scripts.includes(`/ws/${word}`));
  const own = path.startsWith("/ws/") ? { own: "bound" as const } : {};
  const step = {
    argv: [path.slice(path.lastIndexOf("/") + 1), ...args],
    program,
    cwd: "/ws",
    redirects: [],
    scripts: scripts.map((script) => ({ path: script, contentHash: "0" })),
    facts: {
      file: path,
      lookup: "search" as const,
      paths: [],
      added: [],
      exactHash: "5678",
      ...(script === undefined ? {} : { script }),
      ...own,
    },
  };
  return { command: "", cwd: "/ws", root: "/ws", steps: [step], hash: "" };
}

it("the entry names the real program and exactly these arguments, and says so", () => {
  expect(grantFor(planOf("/usr/bin/ls", ["-la", "a b"]))).toEqual([
    {
      ok: true,
      entry: { pattern: "/usr/bin/ls", argPattern: "sha256:argv:5678", source: "allow-always" },
      shown: '/usr/bin/ls -la "a b" in /ws',
    },
  ]);
});

it("an interpreter with a script can be saved: its content is bound", () => {
  expect(grantFor(planOf("/usr/bin/node", ["run.js"], ["/ws/run.js"]))).toMatchObject([
    { ok: true },
  ]);
});

it.each([
  ["/usr/bin/bash", ["-eu", "run.sh", "-c", "x"]],
  ["/usr/bin/python3.11", ["-u", "run.sh"]],
  ["/usr/bin/node", ["--test", "run.sh"]],
])("%s %j is a script with harmless options before it", (path, args) => {
  expect(grantFor(planOf(path, args, ["/ws/run.sh"]))).toMatchObject([{ ok: true }]);
});

it.each([
  ["/usr/bin/node", ["folder", "run.sh"]],
  ["/usr/bin/node", ["--title", "run.sh", "folder"]],
  ["/usr/bin/bun", ["run.sh"]],
  ["/usr/bin/java", ["run.sh"]],
  // They look for a file of settings with code in the folder.
  ["/usr/bin/Rscript", ["run.sh"]],
  ["/usr/bin/ts-node", ["run.sh"]],
])("%s %j may run another file than the one that is bound", (path, args) => {
  const [grant] = grantFor(planOf(path, args, ["/ws/run.sh"]));
  expect(grant).toMatchObject({ ok: false, why: expect.stringContaining("no script") });
});

it.each([
  ["/usr/bin/find", [".", "-exec", "run.sh", ";"]],
  ["/usr/bin/tar", ["xf", "a.tar"]],
  ["/usr/bin/awk", ["-f", "x.awk"]],
  ["/usr/bin/vim.basic", ["-S", "x.vim"]],
  ["/usr/bin/x86_64-linux-gnu-gcc-12", ["-wrapper", "x"]],
  ["/usr/bin/make", ["t"]],
  ["/usr/bin/git", ["commit", "-m", "x"]],
  ["/usr/bin/ssh", ["host"]],
])("%s %j can start programs that nobody was shown", (path, args) => {
  const [grant] = grantFor(planOf(path, args));
  expect(grant).toMatchObject({ ok: false, why: expect.stringContaining("can start programs") });
});

it.each([
  ["/usr/bin/find", [".", "-name", "x"]],
  ["/usr/bin/cp", ["a", "b"]],
  ["/usr/bin/sed", ["-n", "1p", "a"]],
  ["/usr/bin/mkdir", ["-p", "a"]],
  ["/ws/install.sh", ["a"]],
  ["/ws/ls", ["a"]],
])("%s %j can be saved", (path, args) => {
  expect(grantFor(planOf(path, args))).toMatchObject([{ ok: true }]);
});

it.each([
  ["/usr/bin/prove", []],
  ["/usr/bin/prove", ["t/a.t"]],
  ["/usr/bin/ctest", []],
  ["/usr/bin/pydoc3.11", ["x"]],
  ["/usr/bin/cpp-12", ["-B.", "a.c"]],
  ["/usr/bin/c99-gcc", ["-B.", "a.c"]],
  ["/usr/bin/dpkg-buildpackage", []],
  ["/usr/bin/cpan", ["."]],
  ["/usr/bin/systemd-socket-activate", ["-l", "1", "./x"]],
  ["/opt/tool/bin/tool", ["a"]],
  ["/usr/local/bin/tool", ["a"]],
  ["/home/me/bin/tool", ["a"]],
])("%s %j comes from elsewhere and is not known: once, and how it could be more", (path, args) => {
  const [grant] = grantFor(planOf(path, args));
  expect(grant).toMatchObject({ ok: false, why: expect.stringContaining("no profile knows") });
  expect(grant).toMatchObject({ why: expect.stringContaining(`${path} with an argPattern`) });
});

describe("a program of the workspace", () => {
  const withOwn = (plan: CommandPlan, own: "unbound" | "link"): CommandPlan => ({
    ...plan,
    steps: plan.steps.map((step) => ({
      ...step,
      facts: { ...step.facts, own },
    })),
  });

  it.each(["/ws/tool", "/ws/ls", "/ws/cp", "/ws/node"])(
    "%s cannot be saved when something that starts it is not bound",
    (path) => {
      const [grant] = grantFor(withOwn(planOf(path, ["run.js"], ["/ws/run.js"]), "unbound"));
      expect(grant).toMatchObject({ ok: false, why: expect.stringContaining("#!") });
    },
  );

  it("that is a link is judged by the program that it leads to", () => {
    const python = planOf("/usr/bin/python3.11", ["run.py"], ["/ws/run.py"]);
    expect(grantFor(withOwn(python, "link"))).toMatchObject([{ ok: true }]);
    const disguised = withOwn(planOf("/usr/bin/prove", []), "link");
    const steps = disguised.steps.map((step) => ({
      ...step,
      facts: { ...step.facts, file: "/ws/ls" },
    }));
    expect(grantFor({ ...disguised, steps })).toMatchObject([{ ok: false }]);
  });
});

it.each(["node_modules/.bin/jest", "npm-cli.js"])(
  "a script called %s runs what files of the workspace name",
  (script) => {
    const [grant] = grantFor(planOf("/usr/bin/node", [script], [`/ws/${script}`]));
    expect(grant).toMatchObject({ ok: false, why: expect.stringContaining("can start programs") });
  },
);

it.each([
  ["/tmp/x/ls", false],
  ["/home/me/bin/bash", false],
  ["/usr/bin/bash", true],
  ["/opt/node/bin/node", true],
])("%s, named by that path, is what its name says: %s", (path, ok) => {
  const plan = planOf(path, ["run.sh"], ["/ws/run.sh"]);
  const steps = plan.steps.map((step) => ({
    ...step,
    facts: { ...step.facts, lookup: "path" as const },
  }));
  expect(grantFor({ ...plan, steps })).toMatchObject([{ ok }]);
});

it("a program that means others cannot be saved: a file says for which", () => {
  const plan = planOf("/home/me/.pyenv/shims/python3", ["run.py"], ["/ws/run.py"]);
  expect(grantFor(plan)).toMatchObject([{ ok: false, why: expect.stringContaining("means") }]);
});

it.each([
  ["/usr/bin/timeout", ["5", "ls"], "starts another program"],
  ["/usr/bin/env", ["X=1", "ls"], "starts another program"],
  ["/usr/bin/xargs", ["ls"], "starts another program"],
  ["/usr/bin/bash", ["-lc", "ls"], "code in its arguments"],
  ["/usr/bin/bash", ["-o", "errexit", "-c", "ls"], "code in its arguments"],
  ["/usr/bin/node", ["--eval=1"], "code in its arguments"],
  ["/usr/bin/node", ["-e", "1"], "code in its arguments"],
  ["/usr/bin/python3.11", ["-c", "1"], "code in its arguments"],
  ["/usr/bin/python3", ["-m", "http.server"], "code in its arguments"],
  ["/usr/bin/perl", ["-ne", "1"], "code in its arguments"],
  ["/usr/bin/node", [], "no script"],
  ["/usr/bin/npx", ["tool"], "fetches the program"],
  ["/usr/bin/npm", ["exec", "tool"], "fetches the program"],
])("c4 · %s %j cannot be saved, and it is told why", (path, args, why) => {
  const [grant] = grantFor(planOf(path, args));
  expect(grant).toMatchObject({ ok: false, why: expect.stringContaining(why) });
});
